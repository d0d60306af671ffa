package synth

import "math"

// decay is exp(−rate·distance) from a table, linear between its entries.
type decay struct {
	scale float64
	table []float64
}

const (
	decaySteps = 64 // per unit of the exponent
	decayReach = 40 // largest exponent
	steepest   = 6  // over the longer side of a cell
)

// newDecay tabulates a rate; one too steep for the cells that it is looked up by
// is made flatter, since all of them would be equally impossible.
func newDecay(rate float64, cells raster) decay {
	rate = min(rate, steepest/max(cells.width, cells.height))

	d := decay{rate * decaySteps, make([]float64, decayReach*decaySteps+2)}
	for i := range d.table {
		d.table[i] = math.Exp(-float64(i) / decaySteps)
	}
	return d
}

func (d *decay) between(p, q point) float64 {
	dx, dy := p.x-q.x, p.y-q.y
	at := math.Sqrt(dx*dx+dy*dy) * d.scale
	if !(at < decayReach*decaySteps) {
		return d.table[len(d.table)-1]
	}
	i := int(at)
	f := at - float64(i)
	return d.table[i]*(1-f) + d.table[i+1]*f
}
