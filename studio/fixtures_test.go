package studio

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gazeward/gazeward/curator"
)

// fixture is a small recording in one format, with whatever lies beside it.
type fixture struct {
	format string   // as the page names it
	files  []string // name and text, in turn
	people int      // that the page counts; 0 = the file names nobody
}

// formatFixtures are one of each format of text that is read.
var formatFixtures = []fixture{
	{"eyelink-asc", []string{"s1.asc", "** TYPE: EDF_FILE BINARY EVENT SAMPLE TAGGED\n**\nMSG\t100 DISPLAY_COORDS 0 0 1279 1023\nMSG\t100 TRIALID 1\n" +
		"START\t1000 \tLEFT\tSAMPLES\tEVENTS\nPUPIL\tAREA\nSAMPLES\tGAZE\tLEFT\tRATE\t1000.00\tTRACKING\tCR\tFILTER\t2\n1000\t  138.1\t  132.8\t  778.0\t...\n1001\t  138.2\t  132.9\t  778.0\t...\n" +
		"EFIX L   1000\t1001\t2\t  138.2\t  132.7\t    779\nEND\t1002 \tSAMPLES\tEVENTS\tRES\t  37.17\t  37.75\n"}, 0},
	{"gazebase", []string{"S_1001_S1_TEX.csv", "n,x,y,val,dP,lab,xT,yT\n0,1.5,2,0,900,1,NaN,NaN\n1,1.6,2,0,900,1,NaN,NaN\n"}, 1},
	{"gazebase-vr", []string{"S_1002_S1_1_VRG.csv", "n,x,y,lx,ly,rx,ry,xT,yT,zT,clx,cly,clz,crx,cry,crz\n0.0,1,2,1,2,1,2,0,0,0,1,0,0,1,0,0\n4.0,1,2,1,2,1,2,0,0,0,1,0,0,1,0,0\n"}, 1},
	{"arff", []string{"a.arff", "@RELATION gaze\n%@METADATA width_px 1280\n%@METADATA height_px 720\n@ATTRIBUTE time INTEGER\n@ATTRIBUTE x NUMERIC\n@ATTRIBUTE y NUMERIC\n@ATTRIBUTE confidence NUMERIC\n@DATA\n0,1,2,1\n4000,1,2,1\n"}, 0},
	{"coord", []string{"a.coord", "gaze 1280 720\ngeometry distance 0.45 width 0.4 height 0.225\n34000 768.2 263.2 1\n38000 768.9 263.7 1\n"}, 0},
	{"data-viewer-fixations", []string{"fix.txt", "RECORDING_SESSION_LABEL\tTRIAL_INDEX\tCURRENT_FIX_START\tCURRENT_FIX_DURATION\tCURRENT_FIX_X\tCURRENT_FIX_Y\ns1\t1\t0\t180\t512.25\t384.5\ns1\t1\t200\t180\t512.25\t384.5\n"}, 1},
	{"data-viewer-samples", []string{"sam.txt", "RECORDING_SESSION_LABEL\tTRIAL_INDEX\tTIMESTAMP\tLEFT_GAZE_X\tLEFT_GAZE_Y\ns1\t1\t0\t512\t384\ns1\t1\t2\t512\t384\n"}, 1},
	{"gazeplotter", []string{"e.csv", "stimulus,participant,timestamp,duration,eyemovementtype,AOI\nmap,s1,0,180,0,sea\nmap,s1,200,180,0,sea\n"}, 1},
	{"bids", []string{"sub-1/beh/sub-1_task-read_recording-eye1_physio.tsv.gz", "100\t1\t2\n104\t1\t2\n",
		"sub-1/beh/sub-1_task-read_recording-eye1_physio.json", `{"PhysioType": "eyetrack", "timestamp": {"Units": "ms"}, "x_coordinate": {"Units": "pixel"}, "Columns": ["timestamp", "x_coordinate", "y_coordinate"], "SamplingFrequency": 250, "RecordedEye": "left"}`,
		"dataset_description.json", `{"BIDSVersion": "1.11.0", "Name": "x"}`}, 1},
	{"pupil-core", []string{"gaze_positions.csv", "gaze_timestamp,world_index,confidence,norm_pos_x,norm_pos_y,base_data\n1.250,10,0.98,0.5,0.25,1.249-0\n1.254,10,0.98,0.5,0.25,1.253-0\n"}, 0},
	{"pupil-core-fixations", []string{"fixations.csv", "id,start_timestamp,duration,start_frame_index,end_frame_index,norm_pos_x,norm_pos_y,dispersion,confidence,method,gaze_point_3d_x,gaze_point_3d_y,gaze_point_3d_z,base_data\n" +
		"4,1.100,20.0,8,9,0.1,0.1,1.3,0.99,3d gaze,-3.0,-0.8,133.3,1.1\n5,1.300,20.0,8,9,0.1,0.1,1.3,0.99,3d gaze,-3.0,-0.8,133.3,1.3\n"}, 0},
	{"vive-sranipal", []string{"v.csv", "time(100ns);time_stamp(ms);frame;eye_valid_L;eye_valid_R;openness_L;openness_R;gaze_origin_L.x(mm);gaze_origin_R.x(mm);gaze_direct_L.x;gaze_direct_L.y;gaze_direct_L.z;" +
		"gaze_direct_R.x;gaze_direct_R.y;gaze_direct_R.z;helmet_pos_x;helmet_pos_y;helmet_pos_z;helmet_rot_x;helmet_rot_y;helmet_rot_z\n" +
		"82596202;-1;123;31;31;1;0.9;1;-1;0.5;0;0.8660254;0;0;1;0.7;1;0.7;10;350;359\n82676202;-1;124;31;31;1;0.9;1;-1;0.5;0;0.8660254;0;0;1;0.7;1;0.7;10;350;359\n"}, 0},
	{"pico", []string{"p.csv", "User Name\tVideo Name\tTimeline\tHead Position. x\tHead Position. y\tHead Position. z\tHead Rotation. x\tHead Rotation. y\tHead Rotation. z\t" +
		"Eye Left Blinking\tEye Right Blinking\tLeft Eye Gaze Openness\tRight Eye Gaze Openness\tCombine Eye Gaze Point. x\tCombine Eye Gaze Vector. x\tCombine Eye Gaze Vector. y\tCombine Eye Gaze Vector. z\tLeft Eye Pose Status\tRight Eye Pose Status\n" +
		"u\tbox\t0.01\t0.1\t1\t-0.3\t20\t350\t8\tFalse\tFalse\t1\t1\t1\t0.5\t0\t0.8660254\t52\t52\nu\tbox\t0.02\t0.1\t1\t-0.3\t20\t350\t8\tFalse\tFalse\t1\t1\t1\t0.5\t0\t0.8660254\t52\t52\n"}, 1},
	{"tobii-glasses3", []string{"gazedata", `{"type":"gaze","timestamp":0.006684,"data":{"gaze2d":[0.5722,0.5182]}}` + "\n" + `{"type":"gaze","timestamp":0.026684,"data":{"gaze2d":[0.5722,0.5182]}}` + "\n"}, 0},
	{"smi", []string{"smi.txt", "## [iView]\n## Sample Rate:\t50\n## [Run]\n## Subject:\ts1\n## [Calibration]\n## Calibration Area:\t1024\t768\n## Stimulus Dimension [mm]:\t300\t200\n## Head Distance [mm]:\t800\n## Format:\tLEFT, POR\n##\n" +
		"Time\tType\tTrial\tL POR X [px]\tL POR Y [px]\n664\tMSG\t1\t# Message: cups.bmp\n10664\tSMP\t1\t512.25\t384.5\n14664\tSMP\t1\t512.25\t384.5\n"}, 1},
	{"pupil-cloud", []string{"gaze.csv", "section id,recording id,timestamp [ns],gaze x [px],gaze y [px],worn,fixation id,blink id,azimuth [deg],elevation [deg]\nx,r,36471431,484.345,525.118,1,1,,-6.125,1.4396\nx,r,40471431,484.345,525.118,1,1,,-6.125,1.4396\n"}, 0},
	{"pupil-cloud-fixations", []string{"fixations.csv", "section id,recording id,fixation id,start timestamp [ns],end timestamp [ns],duration [ms],fixation x [px],fixation y [px],azimuth [deg],elevation [deg]\nx,r,1,1000000000,1100000000,100,10.51,20.5,2.5,3.5\nx,r,2,1300000000,1400000000,100,10.51,20.5,2.5,3.5\n"}, 0},
	{"tobii-pro-lab", []string{"lab.tsv", "Recording timestamp [μs]\tSensor\tParticipant name\tRecording name\tRecording resolution height [px]\tRecording resolution width [px]\tGaze point X [DACS px]\tGaze point Y [DACS px]\tValidity left\tValidity right\tPresented Stimulus name\n" +
		"1000000\tEye Tracker\ts1\tr1\t1080\t1920\t512.5\t300.25\tValid\tValid\tCat\n1003333\tEye Tracker\ts1\tr1\t1080\t1920\t512.5\t300.25\tValid\tValid\tCat\n"}, 1},
	{"tobii-studio", []string{"studio.tsv", "ParticipantName\tRecordingName\tRecordingResolution\tMediaName\tRecordingTimestamp\tGazePointX (ADCSpx)\tGazePointY (ADCSpx)\tValidityLeft\tValidityRight\ns1\tr1\t1920 x 1080\tvideo.avi\t8\t600\t300\t0\t0\ns1\tr1\t1920 x 1080\tvideo.avi\t16\t600\t300\t0\t0\n"}, 1},
	{"tobii-sdk", []string{"sdk.tsv", "device_time_stamp\tsystem_time_stamp\tleft_gaze_point_on_display_area_x\tleft_gaze_point_on_display_area_y\tleft_gaze_point_validity\tright_gaze_point_on_display_area_x\tright_gaze_point_on_display_area_y\tright_gaze_point_validity\n654321\t1\t0.45\t0.5\t1\t0.46\t0.51\t1\n655321\t1\t0.45\t0.5\t1\t0.46\t0.51\t1\n"}, 0},
	{"delimited", []string{"any.csv", "participant,stimulus,timestamp_ms,x_px,y_px,birth date\ns1,dog,0,600,300,2000-01-01\ns1,dog,4,601,301,2000-01-01\n"}, 1},
}

// write puts the fixture's files into a folder.
func (f fixture) write(t *testing.T, dir string) {
	t.Helper()
	for i := 0; i < len(f.files); i += 2 {
		data := []byte(f.files[i+1])
		if strings.HasSuffix(f.files[i], ".gz") {
			var b bytes.Buffer
			w := gzip.NewWriter(&b)
			_, _ = w.Write(data) // to memory
			_ = w.Close()
			data = b.Bytes()
		}
		name := filepath.Join(dir, filepath.FromSlash(f.files[i]))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// binaryFixtures are those that are not text: made here, or converted from
// simulated recordings.
func binaryFixtures(t *testing.T) []fixture {
	t.Helper()
	var places, times bytes.Buffer
	for i := range 40 {
		_ = binary.Write(&places, binary.LittleEndian, [2]float32{700 + float32(i), 500}) // to memory
		_ = binary.Write(&times, binary.LittleEndian, 1760676790465965534+int64(i)*5e6)
	}
	out := []fixture{
		{"npy", []string{"a.npy", npyFixture()}, 1},
		{"neon-native", []string{"r/gaze ps1.raw", places.String(), "r/gaze ps1.time", times.String(), "r/gaze.dtype", "[\n(\"x\", \"float32\"),\n(\"y\", \"float32\"),\n]\n"}, 0},
	}
	for to, format := range map[string]string{"t.parquet": "parquet", "t.feather": "feather", "t.csv": "canonical-csv"} {
		out = append(out, fixture{format, converted(t, to), 2})
	}
	return out
}

func npyFixture() string {
	text := "{'descr': [('timestamp_ms', '<i8'), ('x_px', '<f8'), ('y_px', '<f8'), ('participant', '|S4')], 'fortran_order': False, 'shape': (2,), }\n"
	b := append([]byte("\x93NUMPY\x01\x00"), binary.LittleEndian.AppendUint16(nil, uint16(len(text)))...)
	b = append(b, text...)
	for i := range 2 {
		var row bytes.Buffer
		_ = binary.Write(&row, binary.LittleEndian, int64(4*i)) // to memory
		_ = binary.Write(&row, binary.LittleEndian, [2]float64{600, 300})
		b = append(append(b, row.Bytes()...), "s001"...)
	}
	return string(b)
}

// converted are simulated people in a format that convert writes.
func converted(t *testing.T, to string) []string {
	t.Helper()
	dir, out := filepath.Join(t.TempDir(), "people"), t.TempDir()
	o, err := curator.Demo{People: 2, Seconds: 1, Rate: 60}.Recordings(dir)
	if err != nil {
		t.Fatal(err)
	}
	d, err := curator.OpenData(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	names, err := curator.Convert{Data: d, Home: curator.Home{Dir: t.TempDir()}, Out: filepath.Join(out, to)}.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var files []string
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, filepath.Base(name), string(text))
	}
	return files
}

// TestFixturesAreWhole: each fixture is read as what it is said to be.
func TestFixturesAreWhole(t *testing.T) {
	for _, f := range append(slices.Clone(formatFixtures), binaryFixtures(t)...) {
		dir := t.TempDir()
		f.write(t, dir)
		d, err := curator.OpenData(dir, curator.DataOptions{})
		if err != nil {
			t.Fatal(err)
		}
		s, err := d.Survey(t.Context(), nil)
		if err != nil || s.Recordings == 0 {
			t.Errorf("%s: %v", f.format, err)
			continue
		}
		var read []string
		for _, file := range s.Files {
			read = append(read, file.Format)
		}
		if !slices.Contains(read, f.format) || s.People != f.people {
			t.Errorf("%s is read as %v with %d people, want %d", f.format, read, s.People, f.people)
		}
	}
}
