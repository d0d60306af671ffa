package attack

import (
	"math"
	"strings"
	"testing"

	"github.com/gazeward/gazeward/noise"
)

func crowd(n, cells int, src *noise.Source) (maps [][]float64) {
	for range n {
		m := make([]float64, cells)
		for range 10 {
			m[src.IntN(cells)] += 0.1
		}
		maps = append(maps, m)
	}
	return maps
}

// averaged is the mean with Laplace noise of scale b on the sum; 0 = none.
func averaged(b float64) MapRelease {
	return func(maps [][]float64, src *noise.Source) ([]float64, error) {
		out := make([]float64, len(maps[0]))
		for j := range out {
			for _, m := range maps {
				out[j] += m[j]
			}
			if b > 0 {
				out[j] += b * laplace(src)
			}
			out[j] /= float64(len(maps))
		}
		return out, nil
	}
}

func TestSubtraction(t *testing.T) {
	src := noise.Seeded(6)
	maps := crowd(30, 48, src)
	others, target, nobody := maps[1:], maps[0], make([]float64, 48)
	run := func(release MapRelease, claim *Claim) *Membership {
		t.Helper()
		m, err := Subtraction{Trials: 4000, Settings: Settings{Claim: claim, FalseAlarm: 1e-6}}.Run(release, others, target, nobody, src)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	// Everybody's maps in the clear: nothing is left to guess.
	if m := run(averaged(0), nil); m.Correct != m.Trials || m.Advantage != 1 || m.Verdict != NoClaim {
		t.Errorf("noise-free: %+v", m)
	}
	// L1 distance of the target from nobody is 1: scale 1/ε is ε-DP. The best
	// attacker has tanh(ε/4) to (e^ε−1)/(e^ε+1); this one needs half of it.
	claim := &Claim{Epsilon: 2, WholePerson: true}
	m := run(averaged(1/claim.Epsilon), claim)
	near(t, "ceiling", m.AdvantageCeiling, math.Tanh(1), 1e-12)
	if m.Verdict != NotFalsified || m.Advantage > m.AdvantageCeiling || m.Advantage < 0.1*m.AdvantageCeiling {
		t.Errorf("a right mechanism: %+v", m)
	}
	if m.AdvantageInterval.Lower > m.Advantage || m.AdvantageInterval.Upper < m.Advantage {
		t.Errorf("interval %+v of %v", m.AdvantageInterval, m.Advantage)
	}
	if m := run(averaged(0.1/claim.Epsilon), claim); m.Verdict != Falsified {
		t.Errorf("a tenth of the noise: %+v", m)
	}
}

func TestSubtractionRefuses(t *testing.T) {
	src := noise.Seeded(6)
	maps := crowd(4, 6, src)
	short := func([][]float64, *noise.Source) ([]float64, error) { return []float64{1}, nil }
	for want, run := range map[string]func() (*Membership, error){
		"stands in for it": func() (*Membership, error) { return Subtraction{}.Run(averaged(0), maps[1:], maps[0], maps[0], src) },
		"maps of 2 and 6": func() (*Membership, error) {
			return Subtraction{}.Run(averaged(0), [][]float64{{1, 2}}, maps[0], maps[1], src)
		},
		"the release has 1": func() (*Membership, error) { return Subtraction{}.Run(short, maps[2:], maps[0], maps[1], src) },
		"trials must": func() (*Membership, error) {
			return Subtraction{Trials: -1}.Run(short, maps[2:], maps[0], maps[1], src)
		},
		"confidence must lie": func() (*Membership, error) {
			return Subtraction{Settings: Settings{Confidence: 3}}.Run(short, maps[2:], maps[0], maps[1], src)
		},
	} {
		if _, err := run(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v does not say %q", err, want)
		}
	}
}
