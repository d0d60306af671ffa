package tobii

import (
	"strings"

	"github.com/gazeward/gazeward/format"
)

// harmless are beginnings of columns that say nothing of who was recorded.
// Whatever else a table has may be a variable of the participants, under any
// name the laboratory gave it, or a name, a date or a serial number.
var harmless = []string{
	"gaze", "leftgazepoint", "rightgazepoint", "lgazepos", "rgazepos", "fixation", "saccad", "absolutesaccadic", "relativesaccadic",
	"pupildiameter", "pupilleft", "pupilright", "validity", "leftpupil", "rightpupil", "lvalidity", "rvalidity", "lpupil", "rpupil",
	"eyemovement", "eyeopenness", "lefteyeopenness", "righteyeopenness", "strictaverage", "reltimestamp",
	"presentedmedia", "presentedstimulus", "originalmedia", "media", "aoihit", "aoi", "mapped", "automaticallymapped", "manuallymapped", "assistedmapped",
	"mouse", "keypress", "gyro", "accelerometer", "magnetometer", "galvanic", "gsr", "recordingresolution", "recordingfixationfilter", "snapshotfixationfilter",
	"recordingsoftware", "recordingmonitor", "recordingduration", "recordingmediawidth", "recordingmediaheight", "exportduration", "ungrouped", "sensor",
	"studioversion", "fixationfilter", "presentationsequence", "segment", "scene", "externalevent", "eventmarker", "irmarker",
	"ttl", "sync", "frame",
}

// carriers are beginnings that look harmless and are not: where the eyes are.
var carriers = []string{"gazeorigin", "leftgazeorigin", "rightgazeorigin"}

// drop lists the columns that do not enter. Names in brackets, of pictures and
// areas in them, are left out, so that each kind is listed once.
func (b *binding) drop(report *format.Report) {
	for i, c := range b.columns {
		if b.used[i] || c.name == "" {
			continue
		}
		name := c.name
		if open := strings.IndexAny(name, "[("); open > 0 && c.unit == "" {
			name = strings.TrimSpace(name[:open]) + " […]"
		}
		if identifies(c) {
			report.DropIdentity(format.DisplayName(name))
		} else {
			report.Drop(format.DisplayName(name))
		}
	}
}

func identifies(c column) bool {
	begins := func(list []string) bool {
		for _, b := range list {
			if strings.HasPrefix(c.base, b) {
				return true
			}
		}
		return false
	}
	return strings.HasPrefix(c.name, "[") || begins(carriers) || !begins(harmless)
}
