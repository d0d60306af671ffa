package account

import (
	"testing"

	"github.com/gazeward/gazeward/dp"
)

// Guarantees about units that start within a radius add up among themselves,
// and never with those of another radius or with ordinary ones.
func TestAccountsOfOneRadius(t *testing.T) {
	near := func(radius, epsilon float64) dp.Guarantee {
		return dp.Guarantee{Epsilon: epsilon, Unit: dp.Window, Neighbours: dp.StartWithin, Radius: radius, RadiusUnit: "px", Model: dp.Local}
	}
	key := KeyFor("set", "people", near(72, 1))
	if got := key.UnitName(); got != "window within 72 px" {
		t.Errorf("unit %q", got)
	}
	limit, err := Cap(3, 0)
	if err != nil {
		t.Fatal(err)
	}
	r := Record{Key: key, Cap: limit, Filters: newFilters(key, limit)}
	for range 3 {
		c, err := r.price(near(72, 1))
		if err != nil {
			t.Fatal(err)
		}
		r.Totals = r.Totals.Plus(c)
	}
	if _, err := r.price(near(72, 0.01)); err == nil {
		t.Error("a fourth spend passed a cap of three")
	}
	empty := Record{Key: key, Cap: limit, Filters: newFilters(key, limit)}
	for name, g := range map[string]dp.Guarantee{
		"another radius": near(36, 1),
		"ordinary":       {Epsilon: 1, Unit: dp.Window},
		"geo":            {Measure: dp.Geo, Epsilon: 1, Radius: 72, RadiusUnit: "px", Unit: dp.Window, Neighbours: dp.ShiftedWithin},
		"no radius":      near(0, 1),
	} {
		if _, err := empty.price(g); err == nil {
			t.Errorf("%s was charged to an account of 72 px", name)
		}
	}
}

// A radius that is no round number names an account as well.
func TestLongRadius(t *testing.T) {
	g := dp.Guarantee{Epsilon: 1, Unit: dp.Window, Neighbours: dp.StartWithin, Radius: 768. / 180, RadiusUnit: "px", Model: dp.Local}
	if err := KeyFor("set", "people", g).validate(); err != nil {
		t.Error(err)
	}
}
