package experiment

// PaperGaze is one number of each of tables 3 and 4 of Ren et al. 2024.
type PaperGaze struct {
	Data    string  `json:"data"`
	RMSE    float64 `json:"rmse_sum"` // table 3: equation 15 as printed, px
	Density float64 `json:"density"`  // table 4
	Remark  string  `json:"remark"`
}

// PaperGazeRemark says why the numbers cannot be met.
const PaperGazeRemark = "other recordings, screens and lengths: compare the order of mechanisms, not the numbers"

// paperGaze are the tables, by mechanism and radius in per cent of the smaller
// side, at ε = 1, 2, 3: position error and density error on 360_em, then on
// GazeBaseVR.
var paperGaze = map[string]map[float64][3][4]float64{
	"kaleido": {
		5:  {{9.076e5, 0.295, 1.728e4, 0.125}, {6.482e5, 0.329, 1.729e4, 0.237}, {5.461e5, 0.358, 1.728e4, 0.310}},
		10: {{1.917e6, 0.319, 1.730e4, 0.051}, {1.441e6, 0.345, 1.728e4, 0.182}, {1.206e6, 0.375, 1.729e4, 0.255}},
	},
	"dpgazesynth": {
		5:  {{4.175e4, 0.122, 1.247e4, 0.011}, {4.172e4, 0.122, 1.251e4, 0.009}, {4.170e4, 0.120, 1.252e4, 0.009}},
		10: {{4.284e4, 0.136, 1.250e4, 0.017}, {4.278e4, 0.130, 1.300e4, 0.016}, {4.273e4, 0.130, 1.296e4, 0.016}},
	},
}

// PaperGazeOf returns the paper's numbers for a mechanism at a radius and an ε;
// nil where it has none.
func PaperGazeOf(mechanism string, percent, epsilon float64) []PaperGaze {
	at, ok := paperGaze[mechanism][percent]
	if !ok || epsilon != 1 && epsilon != 2 && epsilon != 3 {
		return nil
	}
	v := at[int(epsilon)-1]
	return []PaperGaze{
		{Data: "360_em", RMSE: v[0], Density: v[1], Remark: PaperGazeRemark},
		{Data: "gazebasevr", RMSE: v[2], Density: v[3], Remark: PaperGazeRemark},
	}
}
