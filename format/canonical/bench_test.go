package canonical_test

import (
	"bytes"
	"io"
	"testing"

	"github.com/gazeward/gazeward/format"
	"github.com/gazeward/gazeward/format/canonical"
	"github.com/gazeward/gazeward/format/formattest"
	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/gaze/gazetest"
)

// long is one recording of n samples.
func long(b testing.TB, n int) (*gaze.Recording, *canonical.Survey) {
	r := gazetest.People(1)[0]
	one := r.Samples.Len()
	big := gazetest.Clone(r)
	for big.Samples.Len() < n {
		shift := big.Samples.T[big.Samples.Len()-1] + 4e6
		for i := range one {
			big.Samples.T = append(big.Samples.T, shift+r.Samples.T[i])
		}
		for e := range big.Samples.Tracks {
			to, from := &big.Samples.Tracks[e], &r.Samples.Tracks[e]
			to.X, to.Y = append(to.X, from.X...), append(to.Y, from.Y...)
			to.Pupil, to.Confidence = append(to.Pupil, from.Pupil...), append(to.Confidence, from.Confidence...)
		}
		big.Samples.Labels = append(big.Samples.Labels, r.Samples.Labels...)
		for i := range big.Samples.Signals {
			big.Samples.Signals[i].Values = append(big.Samples.Signals[i].Values, r.Samples.Signals[i].Values...)
		}
	}
	big.Fixations, big.Saccades, big.Blinks = nil, nil, nil
	s, err := canonical.Look(gazetest.Seq(big))
	if err != nil {
		b.Fatal(err)
	}
	return big, s
}

func csv(b testing.TB, n int) []byte {
	r, s := long(b, n)
	var out bytes.Buffer
	w, err := canonical.NewCSV(&out, nil, s)
	if err == nil {
		err = canonical.Copy(w, gazetest.Seq(r))
	}
	if err != nil {
		b.Fatal(err)
	}
	return out.Bytes()
}

func TestConstantMemory(t *testing.T) {
	formattest.Constant(t, canonical.CSV(), format.Options{}, csv(t, 150_000), csv(t, 600_000))
}

func BenchmarkWrite(b *testing.B) {
	r, s := long(b, 200_000)
	b.SetBytes(int64(len(csv(b, 200_000))))
	for b.Loop() {
		w, err := canonical.NewCSV(io.Discard, nil, s)
		if err == nil {
			err = canonical.Copy(w, gazetest.Seq(r))
		}
		if err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(r.Samples.Len())*float64(b.N)/b.Elapsed().Seconds(), "rows/s")
}

func BenchmarkRead(b *testing.B) { formattest.Benchmark(b, canonical.CSV(), "t.csv", csv(b, 200_000)) }
