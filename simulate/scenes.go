package simulate

import "strings"

// Scenes lists the built-in scenes.
func Scenes() []Scene { return []Scene{ShopWindow(), TextPage(), Room()} }

// Colours of the built-in scenes, as red, green and blue bytes.
const (
	wall   = 0xece8de
	dark   = 0x343a46
	wood   = 0x966e4a
	cloth  = 0x547696
	leaf   = 0x588c5c
	warm   = 0xd6784e
	gold   = 0xe2b85c
	paper  = 0xfcfaf4
	silver = 0xb0b6be
	skin   = 0xdeb496
	glass  = 0xcdd6de
	sky    = 0x96c8e6
	stone  = 0xa8a096
	desk   = 0xf0eee8
)

func rgb(c uint32) Color { return Color{uint8(c >> 16), uint8(c >> 8), uint8(c)} }

// ShopWindow is a picture of 1280 × 960 px with nine hot spots: a shop window
// with a poster, a person and goods.
func ShopWindow() Scene {
	return Scene{
		Name: "shop-window", Task: FreeViewing, Width: 1280, Height: 960, Background: rgb(wall),
		Objects: []Object{
			{Name: "frame", X: 40, Y: 150, W: 1200, H: 700, Color: rgb(glass)},
			{Name: "floor", X: 0, Y: 850, W: 1280, H: 110, Color: rgb(stone)},
			{Name: "shelf", X: 600, Y: 640, W: 600, H: 16, Color: rgb(wood)},
			{Name: "sign", Kind: Label, X: 390, Y: 40, W: 500, H: 84, Weight: 13, Color: rgb(dark), Text: "GLASSES & LENSES"},
			{Name: "shopkeeper", Kind: Figure, X: 100, Y: 270, W: 210, H: 360, Color: rgb(cloth)},
			{Name: "face", Kind: Oval, X: 150, Y: 270, W: 110, H: 140, Weight: 22, Color: rgb(skin)},
			{Name: "poster", Kind: Label, X: 380, Y: 210, W: 190, H: 270, Weight: 14, Color: rgb(paper), Text: "See better"},
			{Name: "price", Kind: Label, X: 690, Y: 240, W: 150, H: 90, Weight: 15, Color: rgb(warm), Text: "-40 %"},
			{Name: "lamp", Kind: Oval, X: 960, Y: 180, W: 110, H: 110, Weight: 6, Color: rgb(gold)},
			{Name: "sunglasses", Kind: Oval, X: 640, Y: 560, W: 150, H: 78, Weight: 11, Color: rgb(dark)},
			{Name: "globe", Kind: Oval, X: 1010, Y: 500, W: 138, H: 138, Weight: 8, Color: rgb(cloth)},
			{Name: "plant", Kind: Oval, X: 400, Y: 640, W: 140, H: 200, Weight: 5, Color: rgb(leaf)},
			{Name: "dog", Kind: Oval, X: 820, Y: 730, W: 190, H: 115, Weight: 6, Color: rgb(wood)},
		},
	}
}

// pageText is the text of TextPage.
const pageText = `A person who looks at a page tells more than the page. The eyes stop where a word is hard, jump over what is known,
and come back when a sentence did not add up. From a minute of such stops and jumps one can guess what somebody was asked
to do, how well the language is known, sometimes who it was. None of this is written anywhere in the text, and nobody
decides to give it away. That is why a recording of gaze deserves the care one gives to a letter: it was meant for a
purpose, and it should serve that purpose only. A map of where a hundred people looked can be shown to everyone, if
no single one of them can be made out in it. To get there, each of them is allowed to move the map by no more than a
small known amount, and a little noise, chosen with care, hides the rest. The noise has a price. With few people it
covers the picture; with many it can hardly be seen. So the first question is never how the map looks, but how many
people stand behind it, and how much any one of them may matter. Who asks it early has a good map and a quiet mind. Who
asks it late has to explain, to the people who once trusted the glass of a small camera, where their glances have gone.`

// TextPage is a page of 1280 × 960 px with a heading and twenty lines of text.
func TextPage() Scene {
	const left, top, letter, lineHeight, height = 150.0, 190.0, 16.0, 36.0, 24.0
	const perLine = 61
	s := Scene{Name: "text-page", Task: Reading, Width: 1280, Height: 960, Background: rgb(desk),
		Objects: []Object{
			{Name: "sheet", X: 90, Y: 50, W: 1100, H: 880, Color: rgb(paper)},
			{Name: "heading", Kind: Label, X: left, Y: 96, W: 420, H: 50, Weight: 1, Color: rgb(paper), Text: "What a glance says"},
		}}
	line, used := Line{Y: top, H: height}, 0
	for _, w := range strings.Fields(pageText) {
		if used+len(w) > perLine {
			s.Lines = append(s.Lines, line)
			line, used = Line{Y: line.Y + lineHeight, H: height}, 0
		}
		line.Words = append(line.Words, Word{w, left + letter*float64(used), letter * float64(len(w))})
		used += len(w) + 1
	}
	s.Lines = append(s.Lines, line)
	const parts = 4
	for i := range parts {
		first, last := s.Lines[i*len(s.Lines)/parts], s.Lines[(i+1)*len(s.Lines)/parts-1]
		s.Objects = append(s.Objects, Object{Name: "paragraph " + string(rune('1'+i)), X: left - 8, Y: first.Y - 6,
			W: letter*perLine + 16, H: last.Y + last.H - first.Y + 12, Weight: 1, Color: rgb(paper)})
	}
	return s
}

// Room is an equirectangular panorama of 2160 × 1080 px (6 px/deg), seen from
// the middle of a living room.
func Room() Scene {
	return Scene{
		Name: "room", Task: LookAround, Width: 2160, Height: 1080, Background: rgb(wall),
		Objects: []Object{
			{Name: "ceiling", X: 0, Y: 0, W: 2160, H: 270, Color: rgb(paper)},
			{Name: "floor", X: 0, Y: 760, W: 2160, H: 320, Color: rgb(wood)},
			{Name: "carpet", X: 760, Y: 800, W: 640, H: 140, Color: rgb(warm)},
			{Name: "window", X: 120, Y: 380, W: 260, H: 220, Weight: 16, Color: rgb(sky)},
			{Name: "plant", Kind: Oval, X: 420, Y: 560, W: 110, H: 200, Weight: 6, Color: rgb(leaf)},
			{Name: "bookshelf", X: 600, Y: 370, W: 200, H: 370, Weight: 14, Color: rgb(dark)},
			{Name: "person", Kind: Figure, X: 890, Y: 430, W: 150, H: 300, Color: rgb(cloth)},
			{Name: "face", Kind: Oval, X: 925, Y: 430, W: 80, H: 100, Weight: 20, Color: rgb(skin)},
			{Name: "screen", Kind: Label, X: 1070, Y: 460, W: 240, H: 140, Weight: 18, Color: rgb(dark), Text: "NEWS"},
			{Name: "painting", X: 1400, Y: 390, W: 160, H: 130, Weight: 12, Color: rgb(gold)},
			{Name: "sofa", X: 1380, Y: 610, W: 260, H: 150, Weight: 6, Color: rgb(cloth)},
			{Name: "door", X: 1740, Y: 380, W: 130, H: 370, Weight: 8, Color: rgb(silver)},
			{Name: "clock", Kind: Oval, X: 1930, Y: 400, W: 80, H: 80, Weight: 5, Color: rgb(skin)},
		},
	}
}
