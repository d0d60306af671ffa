package all_test

import (
	"bytes"
	"compress/gzip"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"unicode"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/klauspost/compress/zstd"
	pq "github.com/parquet-go/parquet-go"
	"pgregory.net/rapid"

	"github.com/gazeward/gazeward/format"
	"github.com/gazeward/gazeward/format/all"
	"github.com/gazeward/gazeward/format/bids"
	"github.com/gazeward/gazeward/format/canonical"
	"github.com/gazeward/gazeward/format/feather"
	"github.com/gazeward/gazeward/format/parquet"
	"github.com/gazeward/gazeward/gaze"
)

// secrets are what must not come through: who, when, with which device, how
// the eyes are built.
type secrets struct{ name, iso, date, serial, unix, centre string }

func (s secrets) list() []string { return []string{s.name, s.iso, s.date, s.serial, s.unix, s.centre} }

// plant puts the secrets into a text.
func (s secrets) plant(text string) string {
	return strings.NewReplacer("NAME", s.name, "ISO", s.iso, "DATE", s.date, "SERIAL", s.serial, "UNIX", s.unix, "CENTRE", s.centre).Replace(text)
}

// planted is a small file of one format, with whatever lies beside it.
type planted struct {
	format  string
	main    string
	files   map[string][]byte
	mapping *format.Mapping
}

// inTexts are formats of text: main file and others, each as name and content.
// Secrets stand wherever real files have names, dates, serial numbers, paths,
// free text and eyeball centres.
var inTexts = []struct {
	format string
	files  []string
}{
	{"eyelink-asc", []string{"NAME_DATE.asc", "** CONVERTED FROM C:\\people\\NAME\\DATE.edf using edfapi 4.2 on ISO\n** DATE: ISO\n** TYPE: EDF_FILE BINARY EVENT SAMPLE TAGGED\n" +
		"** SERIAL NUMBER: SERIAL\n** CAMERA_CONFIG: SERIAL.SCD\n** RECORDED BY NAME\n**\nMSG\tUNIX DISPLAY_COORDS 0 0 1279 1023\nMSG\tUNIX !CAL CENTRE NAME\n" +
		"MSG\tUNIX TRIALID picture of NAME on ISO\nSTART\tUNIX0 \tLEFT\tSAMPLES\tEVENTS\nPUPIL\tAREA\nSAMPLES\tGAZE\tLEFT\tRATE\t1000.00\tTRACKING\tCR\tFILTER\t2\n" +
		"MSG\tUNIX0 !V IMGLOAD FILL ../NAME/ISO/dog.png\nMSG\tUNIX0 !V TRIAL_VAR subject NAME\nUNIX0\t  138.1\t  132.8\t  778.0\t...\nUNIX1\t  138.2\t  132.9\t  778.0\t...\n" +
		"EFIX L   UNIX0\tUNIX1\t2\t  138.2\t  132.7\t    779\nEND\tUNIX2 \tSAMPLES\tEVENTS\tRES\t  37.17\t  37.75\n"}},
	{"gazebase", []string{"NAME/S_1001_S1_TEX.csv", "n,x,y,val,dP,lab,xT,yT\n0,1.5,2,0,900,1,NaN,NaN\n1,1.6,2,0,900,1,NaN,NaN\n"}},
	{"gazebase-vr", []string{"NAME/S_1002_S1_1_VRG.csv", "n,x,y,lx,ly,rx,ry,xT,yT,zT,clx,cly,clz,crx,cry,crz\n0.0,1,2,1,2,1,2,0,0,0,CENTRE,0,0,CENTRE,0,0\n4.0,1,2,1,2,1,2,0,0,0,CENTRE,0,0,CENTRE,0,0\n"}},
	{"arff", []string{"NAME_DATE.arff", "% labelled by NAME on ISO\n@RELATION gaze_NAME\n%@METADATA width_px 1280\n%@METADATA height_px 720\n%@METADATA subject NAME\n@ATTRIBUTE time INTEGER\n@ATTRIBUTE x NUMERIC\n" +
		"@ATTRIBUTE y NUMERIC\n@ATTRIBUTE confidence NUMERIC\n@ATTRIBUTE session_date STRING\n@DATA\n0,1,2,1,ISO\n4000,1,2,1,ISO\n"}},
	{"coord", []string{"NAME.coord", "# Input file:\n#     NAME.asc ISO\ngaze 1280 720\ngeometry distance 0.45 width 0.4 height 0.225\n34000 768.2 263.2 1\n38000 768.9 263.7 1\n"}},
	{"data-viewer-fixations", []string{"NAME.txt", "RECORDING_SESSION_LABEL\tTRIAL_INDEX\tDATA_FILE\tTRIAL_LABEL\tCURRENT_FIX_START\tCURRENT_FIX_DURATION\tCURRENT_FIX_X\tCURRENT_FIX_Y\tsession_date\n" +
		"NAME\t1\tNAME.edf\tTrial: NAME\t0\t180\t512.25\t384.5\tISO\nNAME\t1\tNAME.edf\tTrial: NAME\t200\t180\t512.25\t384.5\tISO\n"}},
	{"data-viewer-samples", []string{"NAME.txt", "RECORDING_SESSION_LABEL\tTRIAL_INDEX\tTIMESTAMP\tLEFT_GAZE_X\tLEFT_GAZE_Y\tSAMPLE_MESSAGE\nNAME\t1\tUNIX0\t512\t384\tNAME ISO\nNAME\t1\tUNIX2\t512\t384\t.\n"}},
	{"gazeplotter", []string{"NAME.csv", "stimulus,participant,timestamp,duration,eyemovementtype,AOI\nmap,NAME,0,180,0,NAME\nmap,NAME,200,180,0,ISO\n"}},
	{"canonical-csv", []string{"t.csv", "recording,participant,session,task,trial,stimulus,t_ns,unit,x,y,who\n0,NAME,ISO,read,asked by NAME,/home/NAME/dog.png,0,px,1,2,SERIAL\n0,NAME,ISO,read,asked by NAME,/home/NAME/dog.png,4000000,px,1,2,SERIAL\n",
		"t.json", `{"gazeward_table": 1, "note": "NAME", "settings": [{"from_recording": 0, "unit": "px", "frame": "gaze-on-screen", "source_format": "x"}]}`}},
	{"bids", []string{"NAME/sub-NAME/ses-DATE/beh/sub-NAME_ses-DATE_task-read_recording-eye1_physio.tsv.gz", "UNIX0\t1\t2\nUNIX4\t1\t2\n",
		"NAME/sub-NAME/ses-DATE/beh/sub-NAME_ses-DATE_task-read_recording-eye1_physioevents.tsv.gz", "UNIX0\tn/a\tn/a\tn/a\tNAME SERIAL\nUNIX0\t4\tfixation\t0\tNAME\n",
		"NAME/task-read_physio.json", `{"PhysioType": "eyetrack", "timestamp": {"Units": "ms", "Description": "NAME"}, "DeviceSerialNumber": "SERIAL", "InstitutionName": "NAME",
			"x_coordinate": {"Units": "pixel"}, "Columns": ["timestamp", "x_coordinate", "y_coordinate"], "SamplingFrequency": 250, "RecordedEye": "left"}`,
		"NAME/task-read_events.json", `{"StimulusPresentation": {"SoftwareName": "NAME"}}`,
		"NAME/participants.tsv", "participant_id\tname\nsub-NAME\tNAME ISO\n", "NAME/dataset_description.json", `{"BIDSVersion": "1.11.0", "Authors": ["NAME"]}`}},
	{"pupil-core", []string{"NAME/000/gaze_positions.csv", "gaze_timestamp,world_index,confidence,norm_pos_x,norm_pos_y,base_data,gaze_point_3d_x,gaze_point_3d_y,gaze_point_3d_z," +
		"eye_center0_3d_x,eye_center0_3d_y,eye_center0_3d_z,gaze_normal0_x,gaze_normal0_y,gaze_normal0_z,eye_center1_3d_x,eye_center1_3d_y,eye_center1_3d_z,gaze_normal1_x,gaze_normal1_y,gaze_normal1_z\n" +
		"UNIX.250,10,0.98,0.5,0.25,UNIX.249-0,-2.9,-0.9,133.2,CENTRE,14.8,-24.2,-0.1,-0.1,0.9,CENTRE,15.0,-21.6,0.2,-0.07,0.97\n" +
		"UNIX.254,10,0.98,0.5,0.25,UNIX.253-0,-2.9,-0.9,133.2,CENTRE,14.8,-24.2,-0.1,-0.1,0.9,CENTRE,15.0,-21.6,0.2,-0.07,0.97\n",
		"NAME/000/info.player.json", `{"recording_name": "NAME ISO", "system_info": "User: NAME, Host: SERIAL", "start_time_system_s": UNIX.1}`}},
	{"pupil-core-fixations", []string{"NAME/fixations.csv", "id,start_timestamp,duration,start_frame_index,end_frame_index,norm_pos_x,norm_pos_y,dispersion,confidence,method,gaze_point_3d_x,gaze_point_3d_y,gaze_point_3d_z,base_data\n" +
		"4,UNIX.100,20.0,8,9,0.1,0.1,1.3,0.99,3d gaze,-3.0,-0.8,133.3,UNIX.1\n5,UNIX.300,20.0,8,9,0.1,0.1,1.3,0.99,3d gaze,-3.0,-0.8,133.3,UNIX.3\n"}},
	{"vive-sranipal", []string{"NAME_DATE.csv", "time(100ns);time_stamp(ms);frame;eye_valid_L;eye_valid_R;openness_L;openness_R;gaze_origin_L.x(mm);gaze_origin_R.x(mm);gaze_direct_L.x;gaze_direct_L.y;gaze_direct_L.z;" +
		"gaze_direct_R.x;gaze_direct_R.y;gaze_direct_R.z;helmet_pos_x;helmet_pos_y;helmet_pos_z;helmet_rot_x;helmet_rot_y;helmet_rot_z\n" +
		"UNIX82596202;-1;123;31;31;1;0.9;CENTRE;-CENTRE;0.5;0;0.8660254;0;0;1;0.7;CENTRE;0.7;10;350;359\nUNIX82676202;-1;124;31;31;1;0.9;CENTRE;-CENTRE;0.5;0;0.8660254;0;0;1;0.7;CENTRE;0.7;10;350;359\n"}},
	{"pico", []string{"NAME.csv", "User Name\tVideo Name\tAvatar Name\tTimeline\tHead Position. x\tHead Position. y\tHead Position. z\tHead Rotation. x\tHead Rotation. y\tHead Rotation. z\t" +
		"Eye Left Blinking\tEye Right Blinking\tLeft Eye Gaze Openness\tRight Eye Gaze Openness\tCombine Eye Gaze Point. x\tCombine Eye Gaze Vector. x\tCombine Eye Gaze Vector. y\tCombine Eye Gaze Vector. z\tLeft Eye Pose Status\tRight Eye Pose Status\tNameOfLookedObject\n" +
		"NAME\tbox\tNAME\t0.01\t0.1\tCENTRE\t-0.3\t20\t350\t8\tFalse\tFalse\t1\t1\tCENTRE\t0.5\t0\t0.8660254\t52\t52\tNAME\nNAME\tbox\tNAME\t0.02\t0.1\tCENTRE\t-0.3\t20\t350\t8\tFalse\tFalse\t1\t1\tCENTRE\t0.5\t0\t0.8660254\t52\t52\tNAME\n"}},
	{"tobii-glasses3", []string{"NAME/gazedata", `{"type":"gaze","timestamp":UNIX.006684,"data":{"gaze2d":[0.5722,0.5182],"gaze3d":[-8.5,-1.1,52.3],"eyeleft":{"gazeorigin":[CENTRE,-11.0,-25.17],"gazedirection":[-0.1,-0.06,0.98],"pupildiameter":3.654}}}` + "\n" +
		`{"type":"gaze","timestamp":UNIX.026684,"data":{"gaze2d":[0.5722,0.5182],"gaze3d":[-8.5,-1.1,52.3],"eyeleft":{"gazeorigin":[CENTRE,-11.0,-25.17],"gazedirection":[-0.1,-0.06,0.98],"pupildiameter":3.654}}}` + "\n",
		"NAME/recording.g3", `{"uuid": "SERIAL", "name": "NAME", "created": "ISO"}`, "NAME/meta/participant", `{"name": "NAME"}`}},
	{"smi", []string{"NAME.txt", "## [iView]\n## Converted from:\tD:\\IDF\\NAME\\DATE.idf\n## Date:\tISO 11:50:02\n## Sample Rate:\t50\n## [Run]\n## Subject:\tNAME\n## Description:\tNAME\n## [Calibration]\n## Calibration Area:\t1024\t768\n## System ID:\tSERIAL\n" +
		"## Stimulus Dimension [mm]:\t300\t200\n## Head Distance [mm]:\t800\n## Format:\tLEFT, RAW, DIAMETER, CR, POR, QUALITY, MSG\n##\nTime\tType\tTrial\tL POR X [px]\tL POR Y [px]\tL EPOS X\tTiming\n" +
		"UNIX664\tMSG\t1\t# Message: d:\\people\\NAME\\cups.bmp\nUNIX0664\tSMP\t1\t512.25\t384.5\tCENTRE\t0\nUNIX2664\tMSG\t1\t# Message: NAME came in\nUNIX4664\tSMP\t1\t512.25\t384.5\tCENTRE\t0\n"}},
	{"pupil-cloud", []string{"ISO_NAME/gaze.csv", "section id,recording id,timestamp [ns],gaze x [px],gaze y [px],worn,fixation id,blink id,azimuth [deg],elevation [deg]\n" +
		"SERIAL,NAME,UNIX036471431,484.345,525.118,1,1,,-6.125,1.4396\nSERIAL,NAME,UNIX040471431,484.345,525.118,1,1,,-6.125,1.4396\n",
		"ISO_NAME/info.json", `{"wearer_name": "NAME", "wearer_id": "SERIAL", "android_device_id": "SERIAL", "template_data": {"name": "NAME"}}`,
		"ISO_NAME/3d_eye_states.csv", "section id,recording id,timestamp [ns],pupil diameter left [mm],pupil diameter right [mm],eyeball center left x [mm],optical axis left x\nSERIAL,NAME,UNIX036471431,3.5,3.5,CENTRE,CENTRE\n"}},
	{"pupil-cloud-fixations", []string{"NAME/fixations.csv", "section id,recording id,fixation id,start timestamp [ns],end timestamp [ns],duration [ms],fixation x [px],fixation y [px],azimuth [deg],elevation [deg]\n" +
		"SERIAL,NAME,1,UNIX000000000,UNIX100000000,100,10.51,20.5,2.5,3.5\nSERIAL,NAME,2,UNIX300000000,UNIX400000000,100,10.51,20.5,2.5,3.5\n"}},
	{"tobii-pro-lab", []string{"NAME.tsv", "Recording timestamp [μs]\tSensor\tProject name\tExport date\tParticipant name\tRecording name\tRecording date\tRecording resolution height [px]\tRecording resolution width [px]\tEvent\tGaze point X [DACS px]\tGaze point Y [DACS px]\t" +
		"Validity left\tValidity right\tEye position left X [DACS mm]\tPresented Stimulus name\tEye movement type\tGaze event duration [ms]\tEye movement type index\tHandedness\n" +
		"1000000\tEye Tracker\tNAME\tISO\tNAME\tNAME 1\tISO\t1080\t1920\tNAME\t512.5\t300.25\tValid\tValid\tCENTRE\tCat\tFixation\t10\t1\tNAME\n1003333\tEye Tracker\tNAME\tISO\tNAME\tNAME 1\tISO\t1080\t1920\t\t512.5\t300.25\tValid\tValid\tCENTRE\tCat\tFixation\t10\t1\tNAME\n"}},
	{"tobii-studio", []string{"NAME.tsv", "StudioProjectName\tParticipantName\t[Gender]Value\tRecordingName\tRecordingDate\tRecordingResolution\tMediaName\tRecordingTimestamp\tLocalTimeStamp\tStudioEvent\tGazePointX (ADCSpx)\tGazePointY (ADCSpx)\tDistanceLeft\tValidityLeft\tValidityRight\n" +
		"NAME\tNAME\tNAME\tNAME\tISO\t1920 x 1080\tvideo.avi\t8\tISO\tNAME\t600\t300\tCENTRE\t0\t0\nNAME\tNAME\tNAME\tNAME\tISO\t1920 x 1080\tvideo.avi\t16\tISO\t\t600\t300\tCENTRE\t0\t0\n"}},
	{"tobii-sdk", []string{"NAME.tsv", "device_time_stamp\tsystem_time_stamp\tleft_gaze_point_on_display_area_x\tleft_gaze_point_on_display_area_y\tleft_gaze_origin_in_user_coordinate_system_x\tleft_gaze_point_validity\tright_gaze_point_on_display_area_x\tright_gaze_point_on_display_area_y\tright_gaze_point_validity\n" +
		"UNIX654321\tUNIX1\t0.45\t0.5\tCENTRE\t1\t0.46\t0.51\t1\nUNIX655321\tUNIX1\t0.45\t0.5\tCENTRE\t1\t0.46\t0.51\t1\n"}},
	{"delimited", []string{"NAME/DATE.csv", "participant,session,trial,stimulus,timestamp_ms,x_px,y_px,birth date,experimenter,eye position x,device serial\n" +
		"NAME,ISO,asked on ISO,/home/NAME/DATE/dog.png,UNIX0,600,300,ISO,NAME,CENTRE,SERIAL\nNAME,ISO,asked on ISO,/home/NAME/DATE/dog.png,UNIX4,600,300,ISO,NAME,CENTRE,SERIAL\n"}},
}

// texts plants the secrets into the formats of text.
func (s secrets) texts() []planted {
	var out []planted
	for _, t := range inTexts {
		p := planted{format: t.format, main: s.plant(t.files[0]), files: map[string][]byte{}}
		for i := 0; i < len(t.files); i += 2 {
			data := []byte(s.plant(t.files[i+1]))
			if strings.HasSuffix(t.files[i], ".gz") {
				data = zipped(data)
			}
			p.files[s.plant(t.files[i])] = data
		}
		out = append(out, p)
	}
	return out
}

func zipped(data []byte) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = w.Write(data) // to memory
	_ = w.Close()
	return b.Bytes()
}

// binaries plants them into the others.
func (s secrets) binaries() []planted {
	m := &format.Mapping{Time: "t", TimeUnit: "s", X: "x", Y: "y", Unit: "px", Participant: "who"}
	return []planted{
		{"matlab", s.name + ".mat", map[string][]byte{s.name + ".mat": s.matlab()}, m},
		{"npy", s.name + ".npy", map[string][]byte{s.name + ".npy": s.npy()}, nil},
		{"parquet", s.name + ".parquet", map[string][]byte{s.name + ".parquet": s.parquet()}, nil},
		{"feather", s.name + ".feather", map[string][]byte{s.name + ".feather": s.feather()}, nil},
		{"neon-native", "r/gaze ps1.raw", s.neon(), nil},
	}
}

// matlab is a file of version 5 with a name in its header and in a variable.
func (s secrets) matlab() []byte {
	head := fmt.Sprintf("%-124s", "MATLAB 5.0 MAT-file, Created on: "+s.iso+" by "+s.name)[:124]
	b := append([]byte(head), 0, 1, 'I', 'M')
	element := func(kind uint32, data []byte) []byte {
		e := binary.LittleEndian.AppendUint32(nil, kind)
		e = binary.LittleEndian.AppendUint32(e, uint32(len(data)))
		e = append(e, data...)
		for len(e)%8 != 0 {
			e = append(e, 0)
		}
		return e
	}
	variable := func(name string, class uint32, rows, columns int, kind uint32, data []byte) {
		flags := binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(nil, class), 0)
		dims := binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(nil, uint32(rows)), uint32(columns))
		all := slices.Concat(element(6, flags), element(5, dims), element(1, []byte(name)), element(kind, data))
		b = append(b, element(14, all)...)
	}
	doubles := func(v ...float64) []byte {
		var d bytes.Buffer
		_ = binary.Write(&d, binary.LittleEndian, v) // to memory
		return d.Bytes()
	}
	variable("t", 6, 2, 1, 9, doubles(0, 0.004))
	variable("x", 6, 2, 1, 9, doubles(600, 601))
	variable("y", 6, 2, 1, 9, doubles(300, 301))
	variable("who", 4, 1, len(s.name), 16, []byte(s.name))
	variable("serial", 4, 1, len(s.serial), 16, []byte(s.serial))
	return b
}

func (s secrets) npy() []byte {
	text := "{'descr': [('timestamp_ms', '<i8'), ('x_px', '<f8'), ('y_px', '<f8'), ('participant', '|S40'), ('birth_date', '|S10')], 'fortran_order': False, 'shape': (2,), }\n"
	b := append([]byte("\x93NUMPY\x01\x00"), binary.LittleEndian.AppendUint16(nil, uint16(len(text)))...)
	b = append(b, text...)
	for i := range 2 {
		var cell [50]byte
		copy(cell[:40], s.name)
		copy(cell[40:], s.iso)
		var row bytes.Buffer
		_ = binary.Write(&row, binary.LittleEndian, int64(4*i)) // to memory
		_ = binary.Write(&row, binary.LittleEndian, [2]float64{600, 300})
		b = append(append(b, row.Bytes()...), cell[:]...)
	}
	return b
}

func (s secrets) parquet() []byte {
	type row struct {
		T           int64   `parquet:"timestamp_ms"`
		X           float64 `parquet:"x_px"`
		Y           float64 `parquet:"y_px"`
		Participant string  `parquet:"participant"`
		Born        string  `parquet:"birth_date"`
	}
	var b bytes.Buffer
	w := pq.NewGenericWriter[row](&b, pq.KeyValueMetadata("author", s.name+" "+s.serial))
	_, err1 := w.Write([]row{{0, 1, 600, s.name, s.iso}, {4, 1, 600, s.name, s.iso}})
	if err := errors.Join(err1, w.Close()); err != nil {
		panic(err)
	}
	return b.Bytes()
}

func (s secrets) feather() []byte {
	meta := arrow.NewMetadata([]string{"author"}, []string{s.name})
	schema := arrow.NewSchema([]arrow.Field{
		{Name: "time", Type: arrow.PrimitiveTypes.Int64}, {Name: "pixel", Type: arrow.ListOf(arrow.PrimitiveTypes.Float64)},
		{Name: "subject_id", Type: arrow.BinaryTypes.String}, {Name: "comment", Type: arrow.BinaryTypes.String},
	}, &meta)
	rows := array.NewRecordBuilder(memory.NewGoAllocator(), schema)
	for i := range 2 {
		rows.Field(0).(*array.Int64Builder).Append(int64(4 * i))
		l := rows.Field(1).(*array.ListBuilder)
		l.Append(true)
		l.ValueBuilder().(*array.Float64Builder).AppendValues([]float64{600, 300}, nil)
		rows.Field(2).(*array.StringBuilder).Append(s.name)
		rows.Field(3).(*array.StringBuilder).Append(s.iso + s.serial)
	}
	var b bytes.Buffer
	w, err := ipc.NewFileWriter(&b, ipc.WithSchema(schema))
	if err == nil {
		err = errors.Join(w.Write(rows.NewRecordBatch()), w.Close())
	}
	if err != nil {
		panic(err)
	}
	return b.Bytes()
}

func (s secrets) neon() map[string][]byte {
	var places, times bytes.Buffer
	for i := range 40 {
		_ = binary.Write(&places, binary.LittleEndian, [2]float32{700 + float32(i), 500}) // to memory
		_ = binary.Write(&times, binary.LittleEndian, 1760676790465965534+int64(i)*5e6)
	}
	return map[string][]byte{
		"r/gaze ps1.raw": places.Bytes(), "r/gaze ps1.time": times.Bytes(), "r/gaze.dtype": []byte("[\n(\"x\", \"float32\"),\n(\"y\", \"float32\"),\n]\n"),
		"r/info.json":   []byte(s.plant(`{"wearer_name": "NAME", "module_serial_number": "SERIAL", "start_time": UNIX}`)),
		"r/wearer.json": []byte(s.plant(`{"uuid": "SERIAL", "name": "NAME"}`)),
	}
}

// names replaces names as the curator does.
func names(key string) canonical.Names {
	return canonical.Names{Pseudonym: func(parts ...string) string {
		mac := hmac.New(sha256.New, []byte(key))
		for _, p := range parts {
			fmt.Fprintf(mac, "%d:%s", len(p), p)
		}
		return hex.EncodeToString(mac.Sum(nil)[:16])
	}}
}

// folder collects what a writer makes.
type folder map[string]*bytes.Buffer

type inFolder struct{ *bytes.Buffer }

func (inFolder) Close() error { return nil }

func (f folder) create(name string) (io.WriteCloser, error) {
	f[name] = new(bytes.Buffer)
	return inFolder{f[name]}, nil
}

// written converts a stream in every format there is.
func written(pieces gaze.Seq) (folder, error) {
	f := folder{}
	s, err := canonical.Look(pieces)
	if err != nil {
		return nil, err
	}
	for _, ending := range []string{"csv", "parquet", "feather"} {
		var samples, events io.Writer
		if s.Samples {
			samples, _ = f.create("t." + ending)
		}
		if s.Events {
			events, _ = f.create("t_events." + ending)
		}
		var w canonical.Writer
		switch ending {
		case "csv":
			w, err = canonical.NewCSV(samples, events, s)
			side, _ := f.create("t.json")
			text, _ := s.Sidecar("samples", "t_events.csv")
			_, _ = side.Write(text) // to memory
		case "parquet":
			w, err = parquet.NewWriter(samples, events, "t_events.parquet", s)
		case "feather":
			w, err = feather.NewWriter(samples, events, "t_events.feather", s)
		}
		if err == nil {
			err = canonical.Copy(w, pieces)
		}
		if err != nil {
			return nil, err
		}
	}
	if s.Samples {
		err = canonical.Copy(bids.NewWriter(f.create, "gazeward"), pieces)
	}
	return f, err
}

// contents are all bytes and names of a folder, with what is compressed in it.
func (f folder) contents() string {
	var b strings.Builder
	for name, file := range f {
		fmt.Fprintln(&b, name)
		b.Write(file.Bytes())
		if r, err := gzip.NewReader(bytes.NewReader(file.Bytes())); err == nil {
			_, _ = io.Copy(&b, r) // to its end or damage
		}
		for data := file.Bytes(); ; {
			i := bytes.Index(data, []byte{0x28, 0xb5, 0x2f, 0xfd})
			if i < 0 {
				break
			}
			if r, err := zstd.NewReader(bytes.NewReader(data[i:]), zstd.WithDecoderConcurrency(1)); err == nil {
				_, _ = io.Copy(&b, r) // one frame, then what is none
				r.Close()
			}
			data = data[i+4:]
		}
	}
	return b.String()
}

// leaks reads one planted file, writes it in every format and returns what
// came through.
func leaks(t fataler, s secrets, p planted) {
	fsys := fstest.MapFS{}
	for name, data := range p.files {
		fsys[name] = &fstest.MapFile{Data: data}
	}
	report := new(format.Report)
	o := format.Options{Format: p.format, Mapping: p.mapping, Report: report}
	folder, err := written(names("k").Anonymous(all.StreamFS(fsys, p.main, o)))
	if err != nil {
		t.Fatalf("%s: %v", p.format, err)
	}
	contents := strings.ToLower(folder.contents())
	if len(contents) < 500 || !strings.Contains(contents, "recording,participant") {
		t.Fatalf("%s: nothing was written", p.format)
	}
	told := strings.ToLower(fmt.Sprint(report.Dropped(), report.Identity(), report.Quirks()))
	for _, secret := range s.list() {
		if secret = strings.ToLower(secret); strings.Contains(contents, secret) {
			i := strings.Index(contents, secret)
			t.Fatalf("%s: %q came through: …%q…", p.format, secret, contents[max(0, i-60):min(len(contents), i+60)])
		} else if strings.Contains(told, secret) {
			t.Fatalf("%s: %q is told: %s", p.format, secret, told)
		}
	}
}

type fataler interface{ Fatalf(string, ...any) }

// TestEveryFormatIsPlanted fails when a format is added without secrets.
func TestEveryFormatIsPlanted(t *testing.T) {
	s := secrets{"Zqnobody", "1987-04-13", "19870413", "QXZ50SN9", "1629390345", "31.735197"}
	has := map[string]bool{}
	for _, p := range append(s.texts(), s.binaries()...) {
		has[p.format] = true
		if !strings.Contains(fmt.Sprintf("%s %q", p.main, p.files), s.name) {
			t.Errorf("%s has no secret", p.format)
		}
	}
	for _, f := range all.Formats() {
		if f.Read != nil && !has[f.Name] {
			t.Errorf("%s is not planted", f.Name)
		}
	}
	if _, err := written(all.StreamFS(fstest.MapFS{"a": {Data: []byte("t_ms,x_px,y_px\n0,1,2\n4,1,2\n")}}, "a", format.Options{Format: "delimited"})); err != nil {
		t.Error(err)
	}
	t.Log(path.Base(s.texts()[0].main), "and", len(has)-1, "others")
}

// The search finds what is there: without pseudonyms every writer lets the
// participant through.
func TestTheSearchFinds(t *testing.T) {
	fsys := fstest.MapFS{"a.csv": {Data: []byte("participant,t_ms,x_px,y_px\nZqnobody,0,1,2\nZqnobody,4,1,2\n")}}
	f, err := written(all.StreamFS(fsys, "a.csv", format.Options{Format: "delimited"}))
	if err != nil {
		t.Fatal(err)
	}
	for name, file := range f {
		found := strings.Contains(folder{name: file}.contents(), "Zqnobody")
		if table := strings.HasPrefix(name, "t.") && name != "t.json"; table && !found || !table && found != strings.Contains(name, "Zqnobody") && name != "participants.tsv" {
			t.Errorf("%s: found is %v", name, found)
		}
	}
}

// No string of the identity list appears in any output of any writer.
func TestNothingLeaksOut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		year, month, day := rapid.IntRange(1950, 2049).Draw(t, "year"), rapid.IntRange(1, 12).Draw(t, "month"), rapid.IntRange(1, 28).Draw(t, "day")
		s := secrets{
			name: "Zq" + rapid.StringMatching(`[A-Za-z0-9]{5,10}`).Draw(t, "name"),
			iso:  fmt.Sprintf("%04d-%02d-%02d", year, month, day), date: fmt.Sprintf("%04d%02d%02d", year, month, day),
			serial: "SN" + rapid.StringMatching(`[A-Z0-9]{7,10}`).Draw(t, "serial"),
			unix:   rapid.StringMatching(`16[1-9]{8}`).Draw(t, "unix"), centre: "31.7" + rapid.StringMatching(`[1-9]{6}`).Draw(t, "centre"),
		}
		files := append(s.texts(), s.binaries()...)
		leaks(t, s, rapid.SampledFrom(files).Draw(t, "file"))
	})
	s := secrets{"Zqnobody", "1987-04-13", "19870413", "QXZ50SN9", "1629390345", "31.735197"}
	for _, p := range append(s.texts(), s.binaries()...) {
		leaks(t, s, p)
	}
}

// FuzzNothingLeaksOut plants any name that the formats can hold.
func FuzzNothingLeaksOut(f *testing.F) {
	f.Add("Jane Roe", uint8(0))
	f.Add("Ümit Ötztürk", uint8(7))
	f.Add("s2023 03 08", uint8(12))
	f.Fuzz(func(t *testing.T, name string, which uint8) {
		kept := strings.Map(func(c rune) rune {
			if unicode.IsLetter(c) || unicode.IsDigit(c) || c == ' ' {
				return c
			}
			return -1
		}, strings.ToValidUTF8(name, ""))
		kept = strings.TrimSpace(kept)
		if len(kept) < 6 || len(kept) > 40 {
			return
		}
		s := secrets{"Zq" + kept, "1987-04-13", "19870413", "QXZ50SN9", "1629390345", "31.735197"}
		texts := s.texts()
		p := texts[int(which)%len(texts)]
		if p.format == "bids" { // labels are letters and digits
			return
		}
		leaks(t, s, p)
	})
}
