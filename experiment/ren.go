package experiment

// RenTable is a table or figure of Ren et al. 2024 that holds attacks on gaze
// paths, as a value.
type RenTable struct {
	Name  string
	Title string
	// Keep says which rows of [Identification] the table has.
	Keep func(IdentificationRow) bool
	// Printed is the paper's number at a radius in per cent of the smaller side of
	// the screen; nil = it is not in the paper's text.
	Printed func(row IdentificationRow, radius float64) *float64
}

// RenTables lists them. Tables 3 and 4, position and density errors, are part
// of the experiment gaze-utility.
func RenTables() []RenTable {
	return []RenTable{
		{
			Name: "ren-table2", Title: "Task classification by a random forest trained on raw gaze (GazeBaseVR: video, reading, random saccades)",
			Keep: func(r IdentificationRow) bool {
				return r.Attack == "task" && (r.Enrolled == Raw || r.Mechanism == Raw) && r.Positions
			},
			Printed: renTable2,
		},
		{
			Name: "ren-figure2", Title: "Re-identification by networks of radial basis functions, F1 (360_em)",
			Keep:    func(r IdentificationRow) bool { return r.Attack == "identification by events" },
			Printed: func(IdentificationRow, float64) *float64 { return nil }, // a figure
		},
	}
}

// renPrinted are the accuracies of table 2 at ε = 1, 2, 3.
var renPrinted = map[string]map[float64][3]float64{
	"kaleido":     {5: {0.3404, 0.3257, 0.3217}, 10: {0.3391, 0.3280, 0.3295}},
	"dpgazesynth": {5: {0.6804, 0.6886, 0.6828}, 10: {0.6444, 0.6446, 0.6502}},
}

func renTable2(r IdentificationRow, radius float64) *float64 {
	if r.Mechanism == Raw {
		v := 0.985
		return &v
	}
	at, ok := renPrinted[r.Mechanism][radius]
	if !ok || r.Epsilon != 1 && r.Epsilon != 2 && r.Epsilon != 3 {
		return nil
	}
	return &at[int(r.Epsilon)-1]
}
