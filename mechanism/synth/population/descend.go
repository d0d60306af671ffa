package population

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// remembered is how many steps a descent remembers.
const remembered = 12

// descend minimises f, which returns its value at x and writes its gradient
// into g, from x on, in place, by limited-memory BFGS with backtracking
// (Nocedal and Wright 2006, alg. 7.5). It stops after the given number of steps,
// when two in a row gain less than tolerance, or when there is no way down.
func descend(f func(x, g []float64) float64, x []float64, steps int, tolerance float64) {
	n := len(x)
	d := descent{f: f, x: x, g: make([]float64, n), dir: make([]float64, n), trial: make([]float64, n), next: make([]float64, n)}
	d.value = f(x, d.g)
	for idle := 0; steps > 0 && idle < 2; steps-- {
		before := d.value
		if !d.step() {
			return
		}
		if idle++; before-d.value > tolerance {
			idle = 0
		}
	}
}

// descent is where a descent stands: value and gradient g at x.
type descent struct {
	f           func(x, g []float64) float64
	x, g        []float64
	value       float64
	dir         []float64
	trial, next []float64   // a point further on and its gradient
	s, y        [][]float64 // steps and differences of gradients, oldest first
}

// step moves along the descent's direction until the value has fallen enough;
// false if there is no way down.
func (d *descent) step() bool {
	d.direction()
	slope := floats.Dot(d.dir, d.g)
	if !(slope < 0) {
		return false
	}
	length := 1.0
	if len(d.s) == 0 {
		length = min(1, 1/math.Sqrt(-slope))
	}
	for range 20 {
		floats.AddScaledTo(d.trial, d.x, length, d.dir)
		if v := d.f(d.trial, d.next); v <= d.value+1e-4*length*slope {
			d.remember()
			copy(d.x, d.trial)
			copy(d.g, d.next)
			d.value = v
			return true
		}
		length /= 2
	}
	return false
}

func (d *descent) remember() {
	var s, y []float64
	if len(d.s) == remembered { // the oldest make room
		s, y = d.s[0], d.y[0]
		d.s, d.y = d.s[1:], d.y[1:]
	} else {
		s, y = make([]float64, len(d.x)), make([]float64, len(d.x))
	}
	floats.SubTo(s, d.trial, d.x)
	floats.SubTo(y, d.next, d.g)
	// A step along which rounding hides the curvature would spoil the memory.
	if floats.Dot(s, y) > 1e-10*floats.Dot(y, y) {
		d.s, d.y = append(d.s, s), append(d.y, y)
	}
}

// direction is minus the inverse Hessian times the gradient.
func (d *descent) direction() {
	floats.ScaleTo(d.dir, -1, d.g)
	alpha := make([]float64, len(d.s))
	for i := len(d.s) - 1; i >= 0; i-- {
		alpha[i] = floats.Dot(d.s[i], d.dir) / floats.Dot(d.s[i], d.y[i])
		floats.AddScaled(d.dir, -alpha[i], d.y[i])
	}
	if n := len(d.s); n > 0 {
		floats.Scale(floats.Dot(d.s[n-1], d.y[n-1])/floats.Dot(d.y[n-1], d.y[n-1]), d.dir)
	}
	for i := range d.s {
		beta := floats.Dot(d.y[i], d.dir) / floats.Dot(d.s[i], d.y[i])
		floats.AddScaled(d.dir, alpha[i]-beta, d.s[i])
	}
}
