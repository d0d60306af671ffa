package dataset

import (
	"errors"
	"fmt"
	"slices"

	"github.com/gazeward/gazeward/format"
	"github.com/gazeward/gazeward/gaze"
)

// Check reports what is missing or contradictory in a definition.
func (d *Definition) Check() error {
	if d.Name == "" {
		return errors.New("dataset: definition: name is missing")
	}
	if err := d.check(); err != nil {
		return fmt.Errorf("dataset: definition %s: %w", d.Name, err)
	}
	return nil
}

func (d *Definition) check() error {
	if len(d.Files) == 0 {
		return errors.New("files is missing: a pattern such as '{participant}/*.csv'")
	}
	for _, text := range d.Requires {
		if _, err := format.ParsePattern(text); err != nil {
			return err
		}
	}
	for _, text := range d.Files {
		p, err := format.ParsePattern(text)
		if err == nil {
			err = d.checkFields(p)
		}
		if err != nil {
			return err
		}
	}
	if _, err := d.Screen.Screen(); err != nil {
		return err
	}
	if d.Mapping != nil {
		if err := d.Mapping.Check(); err != nil {
			return err
		}
	}
	for _, l := range d.Labels {
		if err := l.check(); err != nil {
			return err
		}
	}
	return nil
}

// checkFields compares the templates with a pattern's fields.
func (d *Definition) checkFields(p *format.Pattern) error {
	for key, template := range d.Fields {
		if _, ok := field(&gaze.Header{}, key); !ok {
			return fmt.Errorf("fields: %q: want participant, session, task, trial or stimulus", key)
		}
		for _, name := range format.TemplateNames(template) {
			if !known(p.Fields(), name) {
				return fmt.Errorf("fields: %s: %q: the pattern %q has no field %s", key, template, p, name)
			}
		}
	}
	return nil
}

func (l *Label) check() error {
	if _, ok := field(&gaze.Header{}, l.Of); !ok {
		return fmt.Errorf("label %s: of %q: want participant, session, task, trial or stimulus", l.Name, l.Of)
	}
	if l.Pattern == "" {
		return nil
	}
	p, err := format.ParsePattern(l.Pattern)
	if err == nil && !known(p.Fields(), "label") {
		err = fmt.Errorf("label %s: pattern %q: want a field {label}", l.Name, l.Pattern)
	}
	return err
}

func known(names []string, name string) bool { return slices.Contains(names, name) }

// field returns a header's field by the name definitions use for it.
func field(h *gaze.Header, name string) (*string, bool) {
	switch name {
	case "participant":
		return &h.Participant, true
	case "session":
		return &h.Session, true
	case "task":
		return &h.Task, true
	case "trial", "order":
		return &h.Trial, true
	case "stimulus":
		return &h.Stimulus, true
	}
	return nil, false
}
