package grid

import (
	"errors"
	"fmt"
	"math"
)

// MaxCells bounds a grid's size: 2^28 cells are 2 GB of float64.
const MaxCells = 1 << 28

// Grid divides a rectangle of a screen into cells, row by row from the top
// left. Cells are half-open: a position on an edge belongs to the cell right
// of it or below. The last column and row are narrower where the cell does not
// divide the rectangle.
type Grid struct {
	Width, Height float64 // px; required
	Cell          float64 // px; required: width of a cell, and its height unless CellHeight is set
	CellHeight    float64 // px; default Cell
	Left, Top     float64 // px; default 0: corner of the rectangle on the screen
}

// Even divides a rectangle of width × height px into cols × rows equal cells.
func Even(width, height float64, cols, rows int) Grid {
	return Grid{Width: width, Height: height, Cell: width / float64(cols), CellHeight: height / float64(rows)}
}

// Panorama is a grid over the sphere in equirectangular projection, one pixel
// per degree: 360 × 180 with cells of the given size in degrees. Recordings in
// yaw and pitch that state no screen are accumulated on it as they are.
func Panorama(cell float64) Grid { return Grid{Width: 360, Height: 180, Cell: cell} }

// Validate refuses sizes that are not positive numbers and grids of more than
// [MaxCells] cells.
func (g Grid) Validate() error {
	for _, v := range [...]float64{g.Width, g.Height, g.Cell, g.cellHeight()} {
		if !(v > 0) || math.IsInf(v, 0) {
			return fmt.Errorf("grid: width, height and cell must be positive, got %g × %g, cell %g × %g",
				g.Width, g.Height, g.Cell, g.cellHeight())
		}
	}
	if math.IsNaN(g.Left+g.Top) || math.IsInf(g.Left+g.Top, 0) {
		return errors.New("grid: left and top must be finite")
	}
	if cells := math.Ceil(g.Width/g.Cell) * math.Ceil(g.Height/g.cellHeight()); cells > MaxCells {
		return fmt.Errorf("grid: %g cells are more than %d: use larger cells", cells, MaxCells)
	}
	return nil
}

func (g Grid) cellHeight() float64 {
	if g.CellHeight == 0 {
		return g.Cell
	}
	return g.CellHeight
}

// Cols is the number of columns, the partial one included.
func (g Grid) Cols() int { return divisions(g.Width, g.Cell) }

// Rows is the number of rows, the partial one included.
func (g Grid) Rows() int { return divisions(g.Height, g.cellHeight()) }

// Len is the number of cells.
func (g Grid) Len() int { return g.Cols() * g.Rows() }

// divisions is the number of cells along a side; a remainder below 1e-9 of a
// cell comes from rounding in [Even] and makes no cell.
func divisions(side, cell float64) int { return max(1, int(math.Ceil(side/cell-1e-9))) }

// New returns a map of zeros for the grid.
func (g Grid) New() []float64 { return make([]float64, g.Len()) }

// Contains reports whether a position lies in the rectangle; NaN does not.
func (g Grid) Contains(x, y float64) bool {
	x, y = x-g.Left, y-g.Top
	return x >= 0 && y >= 0 && x < g.Width && y < g.Height
}

// Index returns the number of the cell that holds a position in px, row·cols +
// column, and false when the position is outside or NaN.
func (g Grid) Index(x, y float64) (int, bool) {
	if !g.Contains(x, y) {
		return 0, false
	}
	cols := g.Cols()
	col := min(int((x-g.Left)/g.Cell), cols-1)
	row := min(int((y-g.Top)/g.cellHeight()), g.Rows()-1)
	return row*cols + col, true
}

// Bounds returns the corners of cell i in px; partial cells end at the
// rectangle's edge.
func (g Grid) Bounds(i int) (x0, y0, x1, y1 float64) {
	cols := g.Cols()
	col, row := float64(i%cols), float64(i/cols)
	x0, x1 = col*g.Cell, math.Min((col+1)*g.Cell, g.Width)
	y0, y1 = row*g.cellHeight(), math.Min((row+1)*g.cellHeight(), g.Height)
	return g.Left + x0, g.Top + y0, g.Left + x1, g.Top + y1
}

// Center returns the middle of cell i in px.
func (g Grid) Center(i int) (x, y float64) {
	x0, y0, x1, y1 := g.Bounds(i)
	return (x0 + x1) / 2, (y0 + y1) / 2
}
