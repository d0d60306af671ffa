package account

import (
	"encoding/json"
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

func TestThreeTenthsMeetTheCapExactly(t *testing.T) {
	tenth, err := ParseEpsilon("0.1")
	if err != nil {
		t.Fatal(err)
	}
	limit, err := Cap(0.3, 0)
	if err != nil {
		t.Fatal(err)
	}
	if sum := tenth + tenth + tenth; sum != limit.Epsilon {
		t.Errorf("0.1 + 0.1 + 0.1 = %v, cap %v", sum, limit.Epsilon)
	}
}

func TestParse(t *testing.T) {
	for s, want := range map[string]Epsilon{
		"0": 0, "0.0": 0, ".5": 5e8, "5.": 5e9, "1e-9": 1, "1E+3": 1e12, "0.1": 1e8, "000.000000001": 1,
		"1e-10": 1, "0.0000000001": 1, "0.10000000000000001": 1e8 + 1, "1e-30000": 1,
		"1e30": unlimited, "9223372036.854775807": unlimited, "9223372036.8547758071": unlimited, "9223372036854775807": unlimited,
	} {
		if got, err := ParseEpsilon(s); err != nil || got != want {
			t.Errorf("%q = %d, %v, want %d", s, got, err, want)
		}
	}
	for _, s := range []string{"", ".", "-1", "+1", "NaN", "Inf", "0x1", "1_000", "1e", "e5", "1e99999999", "1 ", "1,5", "1.2.3"} {
		if got, err := ParseEpsilon(s); err == nil {
			t.Errorf("%q was read as %d", s, got)
		}
	}
}

func TestFormat(t *testing.T) {
	for want, got := range map[string]string{
		"0": Epsilon(0).String(), "3": Epsilon(3e9).String(), "0.000000001": Epsilon(1).String(), "1000000": greatestEpsilon.String(),
		"0.001": Delta(1e15).String(), "0.000000000000000001": Delta(1).String(), "1": Delta(1e18).String(), "0.01": Loss(1e10).String(),
		"(3, 0.001)": Budget{3e9, 1e15}.String(), "-0.5": Epsilon(-5e8).String(),
	} {
		if got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestJSONRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := Budget{Epsilon(rapid.Int64Range(0, math.MaxInt64).Draw(t, "epsilon")), Delta(rapid.Int64Range(0, math.MaxInt64).Draw(t, "delta"))}
		text, err := json.Marshal(b)
		if err != nil {
			t.Fatal(err)
		}
		var back Budget
		if err := json.Unmarshal(text, &back); err != nil || back != b {
			t.Fatalf("%s became %v, %v", text, back, err)
		}
	})
}

// units is what floatUnits should be, by rational arithmetic.
func exactly(v float64, digits int) *big.Rat {
	scale := new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(digits)), nil))
	return scale.Mul(scale, rational(v))
}

func TestRoundingIsAgainstUs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := math.Exp(rapid.Float64Range(math.Log(1e-25), math.Log(1e8)).Draw(t, "log"))
		for _, digits := range []int{epsilonDigits, deltaDigits, lossDigits} {
			want := exactly(v, digits)
			above, below := floatUnits(v, digits, up), floatUnits(v, digits, down)
			if above == unlimited {
				if want.Cmp(new(big.Rat).SetInt64(1e18)) < 0 {
					t.Fatalf("%v with %d digits saturates", v, digits)
				}
				continue
			}
			if new(big.Rat).SetInt64(above).Cmp(want) < 0 || new(big.Rat).SetInt64(below).Cmp(want) > 0 || above-below > 1 {
				t.Fatalf("%v with %d digits lies outside %d..%d", v, digits, below, above)
			}
			if got := roundUp(rational(v), digits); got != above {
				t.Fatalf("two ways of rounding %v up: %d and %d", v, got, above)
			}
		}
		if square := roundUp(new(big.Rat).Mul(rational(v), rational(v)), lossDigits); int64(muSquared(v)) != square {
			t.Fatalf("mu² of %v: %v", v, muSquared(v))
		}
	})
}

func TestSumsSaturate(t *testing.T) {
	if got := plus(Loss(unlimited-1), 5); got != unlimited {
		t.Errorf("got %d", got)
	}
	if got := plus(Loss(unlimited), unlimited); got != unlimited {
		t.Errorf("got %d", got)
	}
	if got := plus(Loss(2), 3); got != 5 {
		t.Errorf("got %d", got)
	}
	if half(unlimited) != unlimited || half(3) != 2 || half(4) != 2 {
		t.Error("half")
	}
}

func TestCapRefusals(t *testing.T) {
	for _, v := range [][2]float64{
		{0, 0}, {-1, 0}, {math.NaN(), 0}, {math.Inf(1), 0}, {1e7, 0}, {1e-10, 0}, {1, -1}, {1, 1}, {1, 2}, {1, math.NaN()},
	} {
		if b, err := Cap(v[0], v[1]); err == nil {
			t.Errorf("a cap of %v became %v", v, b)
		}
	}
	if b, err := Cap(0.10000000019, 1.9e-18); err != nil || b != (Budget{1e8, 1}) {
		t.Errorf("caps round down: %v, %v", b, err)
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"0.1", "1e-9", "9223372036.854775807", "1e400", "..", "00", "1e-32768"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		e, err := ParseEpsilon(s)
		if err != nil {
			return
		}
		if e < 0 {
			t.Fatalf("%q became %d", s, e)
		}
		if back, err := ParseEpsilon(e.String()); err != nil || back != e {
			t.Fatalf("%q became %v and then %v, %v", s, e, back, err)
		}
	})
}
