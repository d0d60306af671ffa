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
	b := &bfgs{}
	g, dir := make([]float64, len(x)), make([]float64, len(x))
	trial, next := make([]float64, len(x)), make([]float64, len(x))
	value, idle := f(x, g), 0
	for range steps {
		b.direction(dir, g)
		slope := dot(dir, g)
		if !(slope < 0) {
			break
		}
		length := 1.0
		if len(b.s) == 0 {
			length = min(1, 1/math.Sqrt(-slope))
		}
		found := false
		var v float64
		for range 20 {
			copy(trial, x)
			axpy(trial, dir, length)
			if v = f(trial, next); v <= value+1e-4*length*slope {
				found = true
				break
			}
			length /= 2
		}
		if !found {
			break
		}
		b.remember(x, trial, g, next)
		copy(x, trial)
		copy(g, next)
		if idle++; value-v > tolerance {
			idle = 0
		}
		if value = v; idle == 2 {
			break
		}
	}
	return value
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
