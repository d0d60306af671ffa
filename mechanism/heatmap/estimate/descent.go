package estimate

import "math"

// memory is how many steps the descent remembers.
const memory = 8

// objective returns a function's value at x and writes its gradient into g.
type objective func(x, g []float64) float64

// descend minimises f from x on, in place, by limited-memory BFGS with
// backtracking (Nocedal and Wright 2006, alg. 7.5), and returns the value
// reached. It stops after the given number of steps or when two steps in a row
// gain less than tolerance.
func descend(f objective, x []float64, steps int, tolerance float64) float64 {
	n := len(x)
	d := descent{
		f: f, x: x, g: make([]float64, n), dir: make([]float64, n),
		trial: make([]float64, n), next: make([]float64, n),
	}
	d.value = f(x, d.g)
	for idle := 0; steps > 0 && idle < 2; steps-- {
		before := d.value
		if !d.step() {
			break
		}
		if idle++; before-d.value > tolerance {
			idle = 0
		}
	}
	return d.value
}

// descent is where a descent stands: value and gradient g at x.
type descent struct {
	f           objective
	memory      bfgs
	x, g        []float64
	value       float64
	dir         []float64
	trial, next []float64 // a point further on and its gradient
}

// step moves along the descent's direction until the value has fallen enough;
// false if there is no way down.
func (d *descent) step() bool {
	d.memory.direction(d.dir, d.g)
	slope := dot(d.dir, d.g)
	if !(slope < 0) {
		return false
	}
	length := 1.0
	if len(d.memory.s) == 0 {
		length = min(1, 1/math.Sqrt(-slope))
	}
	for range 20 {
		copy(d.trial, d.x)
		axpy(d.trial, d.dir, length)
		if v := d.f(d.trial, d.next); v <= d.value+1e-4*length*slope {
			d.memory.remember(d.x, d.trial, d.g, d.next)
			copy(d.x, d.trial)
			copy(d.g, d.next)
			d.value = v
			return true
		}
		length /= 2
	}
	return false
}

// bfgs is the memory of a descent: steps and gradient differences, oldest first.
type bfgs struct{ s, y [][]float64 }

func (b *bfgs) remember(x, next, g, gnext []float64) {
	s, y := make([]float64, len(x)), make([]float64, len(x))
	for i := range x {
		s[i], y[i] = next[i]-x[i], gnext[i]-g[i]
	}
	// A step along which the function is not convex would spoil the memory.
	if dot(s, y) <= 1e-10*dot(y, y) {
		return
	}
	b.s, b.y = append(b.s, s), append(b.y, y)
	if len(b.s) > memory {
		b.s, b.y = b.s[1:], b.y[1:]
	}
}

// direction writes minus the inverse Hessian times g into dir.
func (b *bfgs) direction(dir, g []float64) {
	scaled(dir, g, -1)
	alpha := make([]float64, len(b.s))
	for i := len(b.s) - 1; i >= 0; i-- {
		alpha[i] = dot(b.s[i], dir) / dot(b.s[i], b.y[i])
		axpy(dir, b.y[i], -alpha[i])
	}
	if n := len(b.s); n > 0 {
		scaled(dir, dir, dot(b.s[n-1], b.y[n-1])/dot(b.y[n-1], b.y[n-1]))
	}
	for i := range b.s {
		beta := dot(b.y[i], dir) / dot(b.s[i], b.y[i])
		axpy(dir, b.s[i], alpha[i]-beta)
	}
}
