package smi

import (
	"bytes"
	"strings"

	"github.com/gazeward/gazeward/format"
)

// settings are what the ## lines state.
type settings struct {
	subject string
	rate    float64
	screen  format.ScreenMapping
}

// carriers are settings that say who was recorded, when, where and with what.
var carriers = [...]string{"Converted from", "Date", "Description", "System ID", "Serial", "Calibration Point", "Run", "Experimenter"}

// take reads one setting: ## key: value, values separated by tabs.
func (s *settings) take(line []byte, report *format.Report) {
	key, value, ok := strings.Cut(string(bytes.TrimLeft(line, "# ")), ":")
	if !ok {
		return // a section's name
	}
	var numbers []float64
	for _, word := range strings.Fields(value) {
		if v, ok := format.ParseNumber([]byte(strings.ReplaceAll(word, ",", ".")), '.'); ok && v > 0 && v < 1e6 {
			numbers = append(numbers, v)
		}
	}
	switch key = strings.TrimSpace(key); {
	case key == "Subject":
		s.subject = strings.ToValidUTF8(strings.TrimSpace(value), "?")
	case key == "Sample Rate" && len(numbers) == 1:
		s.rate = numbers[0]
	case key == "Calibration Area" && len(numbers) == 2:
		s.screen.WidthPx, s.screen.HeightPx = int(numbers[0]), int(numbers[1])
	case key == "Stimulus Dimension [mm]" && len(numbers) == 2:
		s.screen.WidthCm, s.screen.HeightCm = numbers[0]/10, numbers[1]/10
	case key == "Head Distance [mm]" && len(numbers) == 1:
		s.screen.DistanceCm = numbers[0] / 10
	default:
		for _, c := range carriers {
			if strings.HasPrefix(key, c) {
				report.DropIdentity("## " + c)
				return
			}
		}
		report.Drop("other ## lines")
	}
}
