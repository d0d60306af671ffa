package format

import (
	"fmt"
	"slices"
	"strings"
)

// enough is how many rows a guess from values needs.
const enough = 8

// numbers returns a column's values if nearly all of its cells are numbers or
// missing, and enough of them numbers.
func (g *guesser) numbers(i int) ([]float64, bool) {
	filled := 0
	for _, row := range g.rows {
		if i < len(row) && !IsMissing([]byte(row[i])) {
			filled++
		}
	}
	v := g.values(i)
	return v, len(v) >= enough && 10*len(v) >= 9*filled
}

func (g *guesser) isGuessed(role string) bool { return slices.Contains(g.guessed, role) }

func (g *guesser) guess(role string, i int) {
	g.taken[role] = i
	g.guessed = append(g.guessed, role)
}

// noGaze are words of columns with an x and a y that are not where somebody
// looked.
var noGaze = [...]string{"head", "pupil", "raw", "origin", "orientation", "rotation", "mouse", "hand", "controller", "camera", "acc", "gyro", "mag", "target", "stim"}

// pairByName takes the first pair of columns that differ by x and y where no
// name is known: Blickpunkt X, P01_x. Three of them are a direction or a place
// in space, and no position on a screen.
func (g *guesser) pairByName() {
	if g.has("x") || g.has("x_left") || g.has("x_right") || g.has("fixation x") {
		return
	}
	for i, c := range g.columns {
		name := strings.ToLower(c.name)
		if g.isTaken(i) || slices.ContainsFunc(noGaze[:], func(w string) bool { return strings.Contains(name, w) }) {
			continue
		}
		_, hasY := g.partner(i)
		_, hasZ := g.sibling(i, 2)
		if _, numeric := g.numbers(i); hasY && !hasZ && numeric {
			g.guess("x", i)
			return
		}
	}
}

// headless reports whether the columns have no names but the numbers that the
// reader gave them.
func (g *guesser) headless() bool {
	for i, c := range g.columns {
		if c.name != fmt.Sprintf("#%d", i+1) {
			return false
		}
	}
	return len(g.columns) > 0
}

// timeByValue takes the first column that grows with nearly every row, by steps
// of an eye tracker in some unit.
func (g *guesser) timeByValue() {
	if g.has("time") || g.has("onset") || g.has("duration") {
		return
	}
	counter := -1
	for i := range g.columns {
		v, ok := g.numbers(i)
		if g.isTaken(i) || !ok && !g.isDatetime(i) {
			continue
		}
		switch {
		case g.isDatetime(i):
			g.guess("time", i)
			return
		case !grows(v):
		case !isCounter(v):
			g.guess("time", i)
			return
		case counter < 0:
			counter = i
		}
	}
	if counter >= 0 && g.headless() { // rows counted by ones may be ms at 1000 Hz
		g.guess("time", counter)
	}
}

// grows reports whether values never fall and rise in nearly every row, by
// steps that fit some eye tracker.
func grows(v []float64) bool {
	up := 0
	steps := make([]float64, 0, len(v))
	for i := 1; i < len(v); i++ {
		d := v[i] - v[i-1]
		if d < 0 {
			return false
		}
		if d > 0 {
			up++
			steps = append(steps, d)
		}
	}
	return 10*up >= 8*(len(v)-1) && plausibleStep(median(steps)) != ""
}

// isCounter reports whether values are 0, 1, 2, … or 1, 2, 3, …
func isCounter(v []float64) bool {
	for i := range v {
		if v[i]-v[0] != float64(i) {
			return false
		}
	}
	return v[0] == 0 || v[0] == 1
}

// pairByValue takes the first two columns of numbers beside the time where
// nothing has a name.
func (g *guesser) pairByValue() {
	if !g.headless() || !g.has("time") {
		return
	}
	var free []int
	for i := range g.columns {
		if v, ok := g.numbers(i); ok && !g.isTaken(i) && !grows(v) {
			free = append(free, i)
		}
	}
	if len(free) >= 2 {
		g.guess("x", free[0])
		g.taken["y"] = free[1]
	}
}

// insteadOfPlaces says what the table has in place of x and y.
func (g *guesser) insteadOfPlaces() string {
	for i := range g.columns {
		if _, ok := g.partner(i); ok {
			if _, ok := g.sibling(i, 2); ok {
				return fmt.Sprintf(" (%q and its y and z are a direction or a place in space: turn it into degrees or px first)", DisplayName(g.columns[i].name))
			}
		}
		for _, row := range g.rows {
			if i < len(row) && len(row[i]) > 1 && strings.ContainsRune("([{", rune(row[i][0])) && strings.ContainsAny(row[i], ", ;") {
				return fmt.Sprintf(" (the cells of %q hold several values: split them into columns first)", DisplayName(g.columns[i].name))
			}
		}
	}
	return ""
}

// valid takes the columns with which Gazepoint says whether a position holds.
func (g *guesser) valid() {
	for role, to := range map[string]*Conditions{"x": &g.Mapping.ValidWhen, "x_left": &g.Mapping.ValidWhenLeft, "x_right": &g.Mapping.ValidWhenRight} {
		i, ok := g.taken[role]
		if !ok || !strings.HasSuffix(g.columns[i].base, "pogx") {
			continue
		}
		x := g.columns[i].name
		for _, c := range g.columns {
			if strings.EqualFold(c.name, x[:len(x)-1]+"v") {
				*to = Conditions{{Column: c.name, Op: "==", Value: "1"}}
			}
		}
	}
}

// SideBySide lists what precedes or follows the x of several pairs of columns
// that are alike, for example the people of a wide table: P01, P02.
func SideBySide(columns []string) []string {
	var g guesser
	for _, name := range columns {
		g.columns = append(g.columns, takeApart(name))
	}
	var whose []string
	for i, c := range g.columns {
		if _, ok := g.partner(i); !ok || strings.HasSuffix(c.base, "pogx") { // Gazepoint: one gaze, worked out in several ways
			continue
		}
		at := strings.LastIndexAny(c.name, "xX")
		whose = append(whose, strings.Trim(c.name[:at]+c.name[at+1:], " _-.[]()"))
	}
	return whose
}
