package feature

// Count is the number of features.
const Count = 52

// Indexes of features, in MPIIDPEye's column order (from 0).
const (
	fixationRate = iota
	saccadeRate
	smallRate
	largeRate
	rightRate
	leftRate
	saccadesPerFixation
	smallShare
	largeShare
	rightShare
	leftShare
	amplitudeMean
	amplitudeVar
	amplitudeMax
	durationMean
	durationVar
	durationMax
	xVarMean
	yVarMean
	xVarVar
	yVarVar
	pupilMeanMean
	pupilMeanVar
	pupilVarMean
	pupilVarVar
	blinkMean
	blinkVar
	blinkRate
	firstWord // six for each word length
)

// Six features of each word length.
const (
	wordDistinct = iota
	wordMax
	wordMin
	wordRange
	wordMean
	wordVar
	wordStatistics
)

// longestWord is the length of the longest words, in letters.
const longestWord = 4

// word is the index of a statistic of words of a length.
func word(length, statistic int) int { return firstWord + (length-1)*wordStatistics + statistic }

var names = [Count]string{
	"fixation_rate", "saccade_rate", "small_saccade_rate", "large_saccade_rate", "right_saccade_rate", "left_saccade_rate",
	"saccades_per_fixation", "small_saccade_share", "large_saccade_share", "right_saccade_share", "left_saccade_share",
	"saccade_amplitude_mean", "saccade_amplitude_var", "saccade_amplitude_max",
	"fixation_duration_mean", "fixation_duration_var", "fixation_duration_max",
	"fixation_x_var_mean", "fixation_y_var_mean", "fixation_x_var_var", "fixation_y_var_var",
	"fixation_pupil_mean_mean", "fixation_pupil_mean_var", "fixation_pupil_var_mean", "fixation_pupil_var_var",
	"blink_duration_mean", "blink_duration_var", "blink_rate",
	"words1_distinct", "words1_max", "words1_min", "words1_range", "words1_mean", "words1_var",
	"words2_distinct", "words2_max", "words2_min", "words2_range", "words2_mean", "words2_var",
	"words3_distinct", "words3_max", "words3_min", "words3_range", "words3_mean", "words3_var",
	"words4_distinct", "words4_max", "words4_min", "words4_range", "words4_mean", "words4_var",
}

var units = [Count]string{
	"1/s", "1/s", "1/s", "1/s", "1/s", "1/s", "1", "1", "1", "1", "1",
	"deg", "deg^2", "deg", "s", "s^2", "s", "deg^2", "deg^2", "deg^4", "deg^4",
	"pupil", "pupil^2", "pupil^2", "pupil^4", "s", "s^2", "1/s",
	"1", "1", "1", "1", "1", "1", "1", "1", "1", "1", "1", "1",
	"1", "1", "1", "1", "1", "1", "1", "1", "1", "1", "1", "1",
}

// Names returns the features' short names, in MPIIDPEye's column order.
func Names() [Count]string { return names }

// Units returns the features' units in the same order: 1/s, deg, s and their
// powers, "1" for counts and ratios, and "pupil" for the unit of the
// recording's pupil sizes.
func Units() [Count]string { return units }

// AlwaysZero reports the features that are 0 whatever the gaze: the minima of
// word counts (30, 36, 42, 48), since no window holds every possible word.
// They carry nothing, need no noise, and are left out of means.
func AlwaysZero(i int) bool { return i >= firstWord && (i-firstWord)%wordStatistics == wordMin }
