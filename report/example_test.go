package report_test

import (
	"bytes"
	"fmt"

	"github.com/gazeward/gazeward/report"
)

func ExampleHeatmap() {
	h := report.Heatmap{
		Title: "Where 300 people looked", Cols: 3, Rows: 2, Cell: 100,
		Values: []float64{0.02, 0.01, 0.04, 0.01, 0.01, 0.31}, Unit: "share of dwell", NoiseFloor: 0.015,
		Guarantee: "(1, 1e-05)-DP per subject, replace one, central · n = 300",
	}
	var file bytes.Buffer
	if err := h.WritePNG(&file); err != nil {
		fmt.Println(err)
	}
	fmt.Println(h.AltText())
	// Output: Heatmap “Where 300 people looked”: the highest value, 0.31 share of dwell, lies at the bottom right; 50 % of the area cannot be told from noise.
}

func ExampleGrid_WriteCSV() {
	g := report.Grid{Cols: 2, Rows: 1, Cell: 8, Frames: [][]float64{{0.25, 0}}, Unit: "s"}
	var file bytes.Buffer
	if err := g.WriteCSV(&file); err != nil {
		fmt.Println(err)
	}
	fmt.Print(file.String())
	// Output:
	// x_px,y_px,value
	// 4,4,0.25
	// 12,4,0
}

func ExampleTable_Markdown() {
	t := report.Table{Columns: []string{"area", "dwell [s]"}, Rows: [][]string{{"face", "1.25"}, {"text", "0.5"}}}
	text, err := t.Markdown()
	fmt.Print(text, err)
	// Output:
	// | area | dwell \[s\] |
	// | --- | --- |
	// | face | 1.25 |
	// | text | 0.5 |
	// <nil>
}
