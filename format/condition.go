package format

import (
	"fmt"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// Condition compares a column's cell with a value: "val == 0",
// "Validity left == Valid", "confidence >= 0.6". Cells compare as numbers if
// both sides are numbers, else as text; < <= > >= need numbers.
type Condition struct {
	Column string
	Op     string // == != < <= > >=
	Value  string
}

var operators = [...]string{"==", "!=", "<=", ">=", "<", ">"}

// ParseCondition reads a condition.
func ParseCondition(s string) (Condition, error) {
	for _, op := range operators {
		column, value, ok := strings.Cut(s, op)
		if !ok {
			continue
		}
		c := Condition{strings.TrimSpace(column), op, strings.Trim(strings.TrimSpace(value), `"'`)}
		if c.Column == "" {
			break
		}
		if _, err := strconv.ParseFloat(c.Value, 64); err != nil && op != "==" && op != "!=" {
			return c, fmt.Errorf("format: condition %q: %s compares numbers", s, op)
		}
		return c, nil
	}
	return Condition{}, fmt.Errorf("format: condition %q: want for example \"val == 0\"", s)
}

// String returns the condition as it is written.
func (c Condition) String() string { return c.Column + " " + c.Op + " " + c.Value }

// Conditions must all hold. In YAML they are one text or a list.
type Conditions []Condition

// UnmarshalYAML reads a text or a list of texts.
func (c *Conditions) UnmarshalYAML(n *yaml.Node) error {
	var texts Texts
	if err := texts.UnmarshalYAML(n); err != nil {
		return err
	}
	*c = (*c)[:0]
	for _, t := range texts {
		one, err := ParseCondition(t)
		if err != nil {
			return err
		}
		*c = append(*c, one)
	}
	return nil
}

// MarshalYAML writes a text or a list of texts.
func (c Conditions) MarshalYAML() (any, error) {
	texts := make(Texts, len(c))
	for i, one := range c {
		texts[i] = one.String()
	}
	return texts.MarshalYAML()
}

// Texts is a list that YAML may write as a single text. Numbers are taken as
// they are written, so that -32768.00 keeps its zeros.
type Texts []string

// UnmarshalYAML reads a scalar or a list of scalars.
func (t *Texts) UnmarshalYAML(n *yaml.Node) error {
	nodes := []*yaml.Node{n}
	if n.Kind == yaml.SequenceNode {
		nodes = n.Content
	}
	*t = (*t)[:0]
	for _, item := range nodes {
		if item.Kind == yaml.AliasNode {
			item = item.Alias
		}
		if item.Kind != yaml.ScalarNode {
			return fmt.Errorf("line %d: want a text or a list of texts", item.Line)
		}
		*t = append(*t, item.Value)
	}
	return nil
}

// MarshalYAML writes a scalar where there is one text.
func (t Texts) MarshalYAML() (any, error) {
	if len(t) == 1 {
		return t[0], nil
	}
	return []string(t), nil
}
