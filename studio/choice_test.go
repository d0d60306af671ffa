package studio

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gazeward/gazeward/curator"
	"github.com/gazeward/gazeward/mechanism/all"
)

// TestNamesInAddresses: no parameter of a mechanism has a name that means
// something else in an address.
func TestNamesInAddresses(t *testing.T) {
	for _, s := range all.Specs() {
		for _, name := range reserved {
			if _, takes := s.Field(name); takes {
				t.Errorf("%s has a parameter %q, which stands for something else in the studio's addresses", s.Name, name)
			}
		}
	}
}

// TestChoicesStandInTheAddress: a choice read from an address is written back
// the same.
func TestChoicesStandInTheAddress(t *testing.T) {
	s, err := New(Options{Home: curator.Home{Dir: t.TempDir()}})
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{
		"product=heatmap&mechanism=halfblur&epsilon=0.3&delta=1e-5&blur=2deg&unit=recording&enrolled=50&looks=detect&weight=count&note=pilot&stimulus=a.png",
		"product=heatmap&mechanism=gaussian&epsilon=2&cap=3",
		"product=aoi&mechanism=gaussian&epsilon=1&horizon=5s",
		"product=series&mechanism=gaussian&epsilon=1&pupils=1&blink-source=detect&window=2s&step=500ms",
		"product=heatmap&mechanism=laplace&epsilon=2&cap=paid&caps=0.1x50",
	} {
		q, err := url.ParseQuery(text)
		if err != nil {
			t.Fatal(err)
		}
		c, err := s.choose(q)
		if err != nil {
			t.Fatal(err)
		}
		if got := c.query(); got.Encode() != q.Encode() {
			t.Errorf("%s became %s", q.Encode(), got.Encode())
		}
	}
	for _, bad := range []string{"product=series&blink-source=auto", "caps=1", "caps=1x1", "caps=1x2.5", "caps=1x99999999", "product=horoscope", "data=nowhere", "enrolled=-1", "enrolled=many"} {
		q, _ := url.ParseQuery(bad)
		if _, err := s.choose(q); err == nil {
			t.Errorf("%s was taken", bad)
		}
	}
}

// TestPeopleForGazeOfNobody: as many people as the page names are enough, in
// both models of trust.
func TestPeopleForGazeOfNobody(t *testing.T) {
	s, err := New(Options{Home: curator.Home{Dir: t.TempDir()}})
	if err != nil {
		t.Fatal(err)
	}
	for _, mechanism := range []string{"population", "population-local"} {
		plan := func(n int) estimate {
			c, err := s.choose(url.Values{"product": {"synthesis"}, "mechanism": {mechanism}, "epsilon": {"3"}, "delta": {"1e-5"}, "subjects": {strconv.Itoa(n)}})
			if err != nil {
				t.Fatal(err)
			}
			return c.estimate()
		}
		var people int
		if _, err := fmt.Sscanf(strings.SplitAfter(plan(60).Needed, ": ")[1], "about %d people", &people); err != nil || people < 100 {
			t.Fatalf("%s, 60 people: %q, %v", mechanism, plan(60).Needed, err)
		}
		if e := plan(people + people/10); !strings.HasPrefix(e.Needed, "Enough people") || len(e.Errors) == 0 {
			t.Errorf("%s, %d people: %q, %v", mechanism, people, e.Needed, e.Errors)
		}
	}
}

// TestChosenCapsArePlanned: a cap that is chosen from the data is paid for in
// advance, or voids the guarantee.
func TestChosenCapsArePlanned(t *testing.T) {
	s, err := New(Options{Home: curator.Home{Dir: t.TempDir()}})
	if err != nil {
		t.Fatal(err)
	}
	for how, void := range map[string]bool{"paid": false, "auto": true, "2": false} {
		c, err := s.choose(url.Values{"product": {"heatmap"}, "mechanism": {"laplace"}, "epsilon": {"2"}, "cap": {how}, "caps": {"0.5x4"}})
		if err != nil {
			t.Fatal(err)
		}
		e := c.estimate()
		if e.Problem != nil || (e.Void != "") != void || !void && e.Epsilon != 2 || e.Parameters["cap"] != "2" {
			t.Errorf("a cap that is %s: %+v", how, e)
		}
		if o := c.order(); o.CapRange.Step != 0.5 || o.CapRange.Count != 4 || o.Values["cap"] != how {
			t.Errorf("ordered: %+v", o)
		}
	}
}

// TestEveryMechanismHasAForm: what a Spec says can be typed, field by field.
func TestEveryMechanismHasAForm(t *testing.T) {
	s, err := New(Options{Home: curator.Home{Dir: t.TempDir()}})
	if err != nil {
		t.Fatal(err)
	}
	for _, spec := range all.Specs() {
		if !slices.Contains(curator.Products(), spec.Product()) {
			continue
		}
		c, err := s.choose(url.Values{"product": {spec.Product()}, "mechanism": {spec.Short()}})
		if err != nil {
			t.Fatal(err)
		}
		fields := c.fields()
		if len(fields) != len(spec.Fields) {
			t.Errorf("%s has %d parameters and a form of %d", spec.Name, len(spec.Fields), len(fields))
		}
		if e := c.estimate(); e.Problem != nil {
			t.Errorf("%s cannot be planned as the form proposes it: %s", spec.Name, e.Problem.What)
		}
	}
}

// TestCeiling: the bound is the chance for ε = 0, grows to one, and for two
// people is that of a guess.
func TestCeiling(t *testing.T) {
	near := func(a, b float64) bool { return a-b < 1e-12 && b-a < 1e-12 }
	if !near(ceilingOf(0, 0, 20), 1.0/20) || !near(ceilingOf(50, 0, 20), 1) || ceilingOf(800, 1e-5, 1000) > 1 {
		t.Error("the limits are wrong")
	}
	if !near(ceilingOf(1, 0, 2), 2.718281828459045/3.718281828459045) {
		t.Errorf("two people at ε = 1: %v", ceilingOf(1, 0, 2))
	}
	if !near(ceilingOf(1, 1e-3, 300), (2.718281828459045+299e-3)/(2.718281828459045+299)) {
		t.Errorf("300 people: %v", ceilingOf(1, 1e-3, 300))
	}
}

// TestPeopleForShares: as many people as the page names make the noise about as
// small as it says.
func TestPeopleForShares(t *testing.T) {
	s, err := New(Options{Home: curator.Home{Dir: t.TempDir()}})
	if err != nil {
		t.Fatal(err)
	}
	plan := func(n string) estimate {
		c, err := s.choose(url.Values{"product": {"aoi"}, "epsilon": {"1"}, "delta": {"1e-5"}, "subjects": {n}})
		if err != nil {
			t.Fatal(err)
		}
		return c.estimate()
	}
	var people int
	if _, err := fmt.Sscanf(plan("40").Needed, "For shares of dwell time within ± 5\u00a0%%: about %d people", &people); err != nil || people < 41 {
		t.Fatalf("40 people: %q, %v", plan("40").Needed, err)
	}
	e := plan(strconv.Itoa(people))
	if v, err := strconv.ParseFloat(e.Parameters["deviation-dwell"], 64); err != nil || v > 0.0501 || v < 0.045 {
		t.Errorf("with %d people the deviation is %v, %v", people, v, err)
	}
	if e = plan(strconv.Itoa(people + people/20)); !strings.HasPrefix(e.Needed, "Enough people") {
		t.Errorf("with more than enough: %q", e.Needed)
	}
}
