package manifest

import (
	"encoding/json"
	"fmt"
	"math"
)

// What stands where a value is missing.
const (
	NotEvaluated  = "not evaluated"  // nobody found out
	NotApplicable = "not applicable" // there can be no value
	NotDisclosed  = "not disclosed"  // known and kept back
	Unbounded     = "unbounded"      // infinite
)

// Text is a text; empty means [NotEvaluated] and is written so.
type Text string

// String returns the text, or [NotEvaluated].
func (t Text) String() string {
	if t == "" {
		return NotEvaluated
	}
	return string(t)
}

// MarshalJSON writes [NotEvaluated] for the empty text.
func (t Text) MarshalJSON() ([]byte, error) { return json.Marshal(t.String()) }

// UnmarshalJSON reads what MarshalJSON writes.
func (t *Text) UnmarshalJSON(b []byte) error {
	var s string
	if err := json.Unmarshal(b, &s); err != nil {
		return err
	}
	if s == NotEvaluated {
		s = ""
	}
	*t = Text(s)
	return nil
}

// Number is a finite number, or the reason why there is none. The zero Number
// is [NotEvaluated].
type Number struct {
	Value float64
	Known bool
	Why   string // where not Known; empty = [NotEvaluated]
}

// Num returns a known number; infinity is [Unbounded], NaN not evaluated.
func Num(v float64) Number {
	switch {
	case math.IsNaN(v):
		return Number{}
	case math.IsInf(v, 0):
		return Number{Why: Unbounded}
	}
	return Number{Value: v, Known: true}
}

// Without returns no number, and why.
func Without(why string) Number {
	if why == NotEvaluated {
		why = ""
	}
	return Number{Why: why}
}

// String returns the number in short, or why there is none.
func (n Number) String() string {
	if n.Known {
		return fmt.Sprintf("%.6g", n.Value)
	}
	return Text(n.Why).String()
}

// MarshalJSON writes a number, or the reason as a string.
func (n Number) MarshalJSON() ([]byte, error) {
	if n.Known {
		return json.Marshal(n.Value)
	}
	return json.Marshal(Text(n.Why))
}

// UnmarshalJSON reads what MarshalJSON writes.
func (n *Number) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] == '"' {
		var why Text
		if err := json.Unmarshal(b, &why); err != nil {
			return err
		}
		*n = Number{Why: string(why)}
		return nil
	}
	*n = Number{Known: true}
	return json.Unmarshal(b, &n.Value)
}

// List is a list; nil means [NotEvaluated] and is written so. A list that was
// looked at and is empty is List[T]{}.
type List[T any] []T

// MarshalJSON writes [NotEvaluated] for a nil list.
func (l List[T]) MarshalJSON() ([]byte, error) {
	if l == nil {
		return json.Marshal(NotEvaluated)
	}
	return json.Marshal([]T(l))
}

// UnmarshalJSON reads what MarshalJSON writes.
func (l *List[T]) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] == '"' {
		*l = nil
		return notEvaluated(b)
	}
	items := []T{}
	if err := json.Unmarshal(b, &items); err != nil {
		return err
	}
	*l = items
	return nil
}

// Parameters are public parameters by name; nil means [NotEvaluated].
type Parameters map[string]string

// MarshalJSON writes [NotEvaluated] for nil.
func (p Parameters) MarshalJSON() ([]byte, error) {
	if p == nil {
		return json.Marshal(NotEvaluated)
	}
	return json.Marshal(map[string]string(p))
}

// UnmarshalJSON reads what MarshalJSON writes.
func (p *Parameters) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] == '"' {
		*p = nil
		return notEvaluated(b)
	}
	return json.Unmarshal(b, (*map[string]string)(p))
}

func notEvaluated(b []byte) error {
	var s string
	if err := json.Unmarshal(b, &s); err != nil {
		return err
	}
	if s != NotEvaluated {
		return fmt.Errorf("manifest: want a list or %q", NotEvaluated)
	}
	return nil
}
