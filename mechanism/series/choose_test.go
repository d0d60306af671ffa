package series

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/gazeward/gazeward/dp"
	"github.com/gazeward/gazeward/noise"
)

func TestSteilKeepsOnePerBlock(t *testing.T) {
	m := Laplace{Method: Steil, Epsilon: 1e5, Cut: Cut{Features: 2, Length: 25, Unit: dp.Recording}, Bounds: []Bounds{{0, 100}}, Block: 10}
	in := Signals{Values: [][]float64{make([]float64, 25), make([]float64, 25)}}
	for t := range 25 {
		in.Values[0][t], in.Values[1][t] = float64(t), float64(2*t)
	}
	seen := map[int]bool{}
	src := noise.Seeded(4)
	for range 200 {
		r, err := m.Release([]Signals{in}, src)
		if err != nil {
			t.Fatal(err)
		}
		out := r.Recordings[0]
		if len(out.At) != 3 || len(out.Values[0]) != 3 {
			t.Fatalf("%+v", out)
		}
		for b, at := range out.At {
			seen[at] = true
			if at/10 != b || math.Abs(out.Values[0][b]-float64(at)) > 0.5 || math.Abs(out.Values[1][b]-float64(2*at)) > 0.5 {
				t.Fatalf("block %d: window %d, %v, %v", b, at, out.Values[0][b], out.Values[1][b])
			}
		}
	}
	if len(seen) != 25 {
		t.Errorf("%d of 25 windows were ever kept", len(seen))
	}
	// Published: 2·t·(max − min)/ε per signal; guaranteed spares the factor 2.
	m.Epsilon, m.Published = 2, true
	l, err := m.resolve()
	if err != nil {
		t.Fatal(err)
	}
	pieces, err := l.fromData(keepOne([]Signals{{Subject: "a", Values: in.Values}, {Subject: "b", Values: in.Values}}, 1, src))
	if err != nil {
		t.Fatal(err)
	}
	if got := pieces[0].blocks[0].step * laplaceScale; got != 2*25*24/1.0 {
		t.Errorf("published scale %v, want %v", got, 2*25*24)
	}
	m.Published = false
	if got := m.Plan().Noise.Scale; math.Abs(got-3*100/1.0) > 1e-5 {
		t.Errorf("guaranteed scale %v, want 300", got)
	}
}

// TestPaidChoice: the score moves by no more than the unit's share, and enough
// ε buys the best k.
func TestPaidChoice(t *testing.T) {
	m := Laplace{Method: DCFPA, Epsilon: 1, Cut: Cut{Features: 2, Length: 20, Chunk: 8, Unit: dp.Chunk}, Bounds: unit, Choose: Paid, Coefficients: 5}
	l, err := m.resolve()
	if err != nil {
		t.Fatal(err)
	}
	if l.item != 0.9/2 {
		t.Errorf("ε of an item %v", l.item)
	}
	rapid.Check(t, func(t *rapid.T) {
		data := drawSubject(t, m.Cut, "s", []int{20})
		other := drawSubject(t, m.Cut, "s", []int{20})
		mixed := Signals{Subject: "s"}
		for f := range other[0].Values { // one chunk replaced
			v := slices.Clone(data[0].Values[f])
			copy(v[8:16], other[0].Values[f][8:16])
			mixed.Values = append(mixed.Values, v)
		}
		a, err := l.scores(data, 5)
		if err != nil {
			t.Fatal(err)
		}
		b, _ := l.scores([]Signals{mixed}, 5)
		limit := mostDropped * l.largestShare(data)
		for k := range a {
			if !(math.Abs(a[k]-b[k]) <= limit*(1+1e-9)) { // NaN does not pass
				t.Fatalf("k = %d moves by %v of %v", k+1, math.Abs(a[k]-b[k]), limit)
			}
		}
	})
	m.Epsilon, m.Method = 1e5, CFPA
	data := one(m, 20, func(_, t int) float64 { return 0.4 * math.Cos(2*math.Pi*float64(t)*2/8) }) // the third coefficient
	r, err := m.Release(data, noise.Seeded(9))
	if err != nil || r.Coefficients < 3 {
		t.Errorf("k = %v, %v", r, err)
	}
	if r.Guarantee.Epsilon != 1e5 {
		t.Errorf("%v", r.Guarantee)
	}
}

// TestPaidChoiceOfSmallUnits: k and items of one chunk together cost no more
// than is stated of a chunk, where the data hold fewer than was planned for.
func TestPaidChoiceOfSmallUnits(t *testing.T) {
	m := Laplace{Method: CFPA, Epsilon: 10, Cut: Cut{Features: 1, Length: 320, Chunk: 32, Recordings: 4}, Bounds: unit, Choose: Paid}
	l, err := m.resolve()
	if err != nil {
		t.Fatal(err)
	}
	data := []Signals{{Subject: "a", Values: [][]float64{make([]float64, 32)}}}
	moves := mostDropped / 1 // one of one chunk
	price := PaidShare * m.Epsilon * moves / (mostDropped * l.largestShare(data))
	if cost, stated := price+l.item, m.Plan().Composed["chunk"].Epsilon; cost > stated*(1+1e-12) || stated != 0.25 {
		t.Errorf("a chunk costs %v, stated %v", cost, stated)
	}
}
