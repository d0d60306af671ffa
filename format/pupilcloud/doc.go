// Package pupilcloud reads time series that Pupil Cloud exports of Pupil
// Invisible and Neon recordings: gaze.csv with fixations.csv and blinks.csv
// beside it, gaze mapped to a surface or a picture, and fixations.csv alone.
// Ids, Unix times and what info.json says about wearer and devices do not enter.
package pupilcloud
