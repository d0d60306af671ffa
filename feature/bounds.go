package feature

import (
	"math"
	"time"
)

// Bounds are a feature's public limits.
type Bounds struct{ Lo, Hi float64 }

// Clamp returns v within the bounds; NaN becomes the lower one.
func (b Bounds) Clamp(v float64) float64 {
	if !(v > b.Lo) {
		return b.Lo
	}
	return min(v, b.Hi)
}

// Bounds returns every feature's public bounds, from the parameters alone. The
// lower ones are 0, the value of a window without any event. The upper ones:
//
//   - rates: Limits.Rate, for fixations also 1/MinDuration; blinks Limits.BlinkRate
//   - ratio of saccades to fixations: Limits.SaccadesPerFixation; shares: 1
//   - means and maxima: the largest single value (Limits.Amplitude,
//     Limits.Fixation and the window, Limits.Blink, Limits.PupilHigh)
//   - the variance of values from lo to hi: (hi-lo)²/4 (Popoviciu 1935); of
//     x and y within a fixation Limits.Spread², of the pupil Limits.PupilSpread²
//   - words of L letters: n = ⌊Limits.Rate·Window⌋-L+1 of them at most, so n
//     for maximum and range, min(n, W) different ones, n/W in the mean and
//     n²/W-(n/W)² in the variance, over all W = letters^L possible words;
//     minima: 0
func (o Options) Bounds() [Count]Bounds {
	o = o.Resolved()
	l := o.Limits
	var b [Count]Bounds
	set := func(hi float64, features ...int) {
		for _, i := range features {
			b[i] = Bounds{0, hi}
		}
	}
	set(l.Rate, fixationRate, saccadeRate, smallRate, largeRate, rightRate, leftRate)
	if o.Detector.MinDuration > 0 {
		set(min(l.Rate, 1/o.Detector.MinDuration.Seconds()), fixationRate)
	}
	set(l.SaccadesPerFixation, saccadesPerFixation)
	set(1, smallShare, largeShare, rightShare, leftShare)
	set(l.Amplitude, amplitudeMean, amplitudeMax)
	set(popoviciu(0, l.Amplitude), amplitudeVar)
	longest := min(l.Fixation, o.Window)
	set(longest.Seconds(), durationMean, durationMax)
	set(variation(o.Detector.MinDuration, longest), durationVar)
	set(l.Spread*l.Spread, xVarMean, yVarMean)
	set(popoviciu(0, l.Spread*l.Spread), xVarVar, yVarVar)
	set(l.PupilHigh, pupilMeanMean)
	set(popoviciu(l.PupilLow, l.PupilHigh), pupilMeanVar)
	set(l.PupilSpread*l.PupilSpread, pupilVarMean)
	set(popoviciu(0, l.PupilSpread*l.PupilSpread), pupilVarVar)
	set(l.Blink.Seconds(), blinkMean)
	set(popoviciu(0, l.Blink.Seconds()), blinkVar)
	set(l.BlinkRate, blinkRate)
	for length := 1; length <= longestWord; length++ {
		o.wordBounds(&b, length)
	}
	return b
}

func (o Options) wordBounds(b *[Count]Bounds, length int) {
	n := max(0, math.Floor(o.Limits.Rate*o.Window.Seconds())-float64(length)+1)
	all := float64(o.Alphabet.Words(length))
	for statistic, hi := range [wordStatistics]float64{
		wordDistinct: min(n, all), wordMax: n, wordMin: 0, wordRange: n, wordMean: n / all, wordVar: n * n / all * (1 - 1/all),
	} {
		b[word(length, statistic)] = Bounds{0, hi}
	}
}

// popoviciu is the largest variance of values from lo to hi.
func popoviciu(lo, hi float64) float64 { return (hi - lo) * (hi - lo) / 4 }

// variation is the same for durations, 0 where they cannot differ.
func variation(lo, hi time.Duration) float64 { return popoviciu(0, max(0, hi-lo).Seconds()) }
