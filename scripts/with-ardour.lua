-- Makes a session in Ardour, plays it, and prints the frame of each sound; with-ardour.sh runs it in ardour7-lua.
--
--   ardour7-lua scripts/with-ardour.lua FOLDER KEY=VALUE ...
--
-- The session has three tracks. "Keys" plays MIDI events, "Wave" plays a noise at frame 48037, and "Return" takes audio
-- from Auricle and passes it on to the master bus.
--
--   take=record     rolls from the start for `seconds`, and prints the sounds recorded in "Return"
--   take=export     exports the master bus, and prints the sounds of the file
--   realtime=yes    exports in real time, not as fast as the machine can
--   take=play       only rolls, from each frame of `from`, for programs that record by themselves
--   events=note     a note at frame 96425 (or programs, held: see below)
--   insert=FRAMES   puts a port insert into "Wave"; 0 leaves its latency to Ardour, others are its measured latency
--   period=FRAMES   of the server, for the latency that was measured at it
--   align=CHOICE    alignment of "Return": Automatic, UseExistingMaterial or UseCaptureTime
--   ahead=FRAMES    "Keys" plays that much earlier, by a latency of its fader
--   tempo=BEATS     in a minute, 120 unless given
--   sync=jack       Ardour starts and stops JACK's transport, and gives it the tempo
--   wait=PORT       a port that has to be connected before the session rolls; several are possible
--   same=FILE       a float WAV to which the sound is compared, sample by sample, with a tolerance=DIFFERENCE
io.stdout:setvbuf("no")

local function fail(text) print("failed: " .. text) os.exit(1) end

local folder = arg[1]
local name = folder:match("[^/]+$")
local options, waits = { take = "record", events = "note", align = "Automatic", seconds = "4", from = "0", tempo = "120", tolerance = "0" }, {}
for i = 2, #arg do
  local key, value = arg[i]:match("^(%w+)=(.*)$")
  if not key then fail("unknown argument " .. arg[i]) end
  if key == "wait" then waits[#waits + 1] = value else options[key] = value end
end

local function wait(seconds) ARDOUR.LuaAPI.usleep(math.floor(seconds * 1e6)) end

-- Musical time: 1920 ticks a beat, 120 beats a minute, so that 2 ticks are 25 frames at 48 kHz.
local note, noise = { tick = 4 * 1920 + 34, frame = 96425 }, { frame = 48037, count = 4800 }

local function messages()
  local function on(tick, key) return { tick, string.char(0x90, key, 100) } end
  local function off(tick, key) return { tick, string.char(0x80, key, 64) } end
  local function program(tick, number) return { tick, string.char(0xC0, number) } end
  if options.events == "note" then return { on(note.tick, 60), off(note.tick + 1920, 60) } end
  -- A key that is held from the second beat to the twelfth.
  if options.events == "held" then return { on(1920, 60), off(12 * 1920, 60) } end
  -- Programs at the beginning and on the fifth beat, each before a note.
  return {
    program(0, 0), on(1920, 60), off(2880, 60), program(4 * 1920, 48), on(6 * 1920, 60), off(13000, 60),
  }
end

-- Files --------------------------------------------------------------------------------------------------------------

local function read(path) local file = assert(io.open(path, "rb")) local all = file:read("a") file:close() return all end
local function write(path, text) local file = assert(io.open(path, "wb")) file:write(text) file:close() end

local function midiFile(events, endTick)
  local function length(number)
    local text = string.char(number & 127)
    while number > 127 do number = number >> 7 text = string.char(number & 127 | 128) .. text end
    return text
  end
  local track, tick = "", 0
  for _, event in ipairs(events) do
    track = track .. length(event[1] - tick) .. event[2]
    tick = event[1]
  end
  track = track .. length(endTick - tick) .. "\xff\x2f\x00"
  return string.pack(">c4I4I2I2I2c4s4", "MThd", 6, 0, 1, 1920, "MTrk", track)
end

-- Noise without zeros, so that its first and its last frame are found.
local function noiseSamples()
  local state, samples = 1, {}
  for i = 1, noise.count do
    state = (state * 1103515245 + 12345) & 0x7fffffff
    samples[i] = (2 * (state >> 15) + 1) / 262144 - 0.25
  end
  return samples
end

local function audioFile(samples)
  local parts = {}
  for i, sample in ipairs(samples) do parts[i] = string.pack("<f", sample) end
  local data = table.concat(parts)
  return string.pack("<c4I4c4c4I4I2I2I4I4I2I2c4s4", "RIFF", 36 + #data, "WAVE", "fmt ", 16, 3, 1, 48000, 192000, 4, 32,
    "data", data)
end

-- The first channel of a file of 32-bit floats.
local function samples(path)
  local bytes, place, channels = read(path), 13, 0
  while place < #bytes do
    local name, size = string.unpack("<c4I4", bytes, place)
    if name == "fmt " then channels = string.unpack("<I2", bytes, place + 10) end
    if name == "data" then
      local result = {}
      for frame = 0, math.min(size, #bytes - place - 7) // (4 * channels) - 1 do
        result[frame + 1] = string.unpack("<f", bytes, place + 8 + 4 * channels * frame)
      end
      return result
    end
    place = place + 8 + size + size % 2
  end
  fail(path .. " has no samples")
end

-- Session ------------------------------------------------------------------------------------------------------------

-- Lua cannot import files without Ardour's window, so the session's file gets its sources and regions here.
local function region(kind, id, name, start, length)
  return ('<Region name="%s" type="%s" id="%d" source-0="%d" master-source-0="%d" start="%s" length="%s"'
    .. ' muted="0" opaque="1" stretch="1" shift="1" channels="1" fade-in-active="0" fade-out-active="0"/>')
    :format(name, kind, id + 1, id, id, start, length)
end

local function change(text, pattern, replacement)
  local result, count = text:gsub(pattern, replacement)
  if count ~= 1 then fail("this is not a session file as Ardour 7 writes it: " .. pattern) end
  return result
end

local function make()
  local session = create_session(folder, name, 48000)
  if not session then fail("no session") end
  wait(0.3)
  local midi, order = ARDOUR.ChanCount(ARDOUR.DataType("midi"), 1), ARDOUR.PresentationInfo.max_order
  session:new_midi_track(
    midi, midi, true, ARDOUR.PluginInfo(), nil, nil, 1, "Keys", order, ARDOUR.TrackMode.Normal, true)
  session:new_audio_track(1, 2, nil, 1, "Wave", order, ARDOUR.TrackMode.Normal)
  session:new_audio_track(2, 2, nil, 1, "Return", order, ARDOUR.TrackMode.Normal)
  wait(0.3)
  -- Ardour uses it when the session is opened.
  if options.ahead then session:route_by_name("Keys"):amp():to_latent():set_user_latency(tonumber(options.ahead)) end
  session:save_state("", false, false, false, false, false)
  session = nil
  collectgarbage()
  close_session()

  local files = folder .. "/interchange/" .. name .. "/"
  write(files .. "midifiles/events.mid", midiFile(messages(), 16 * 1920))
  write(folder .. "/events.mid", midiFile(messages(), 16 * 1920))
  write(files .. "audiofiles/noise.wav", audioFile(noiseSamples()))
  local clock = 5880 -- Ardour's units of time in a frame at 48 kHz
  local text = read(folder .. "/" .. name .. ".ardour")
  text = change(text, "<Sources/>", '<Sources><Source name="events.mid" type="midi" flags="" id="90001"'
    .. ' natural-position="a0"/><Source name="noise.wav" type="audio" flags="" id="90003" natural-position="a0"'
    .. ' channel="0" gain="1"/></Sources>')
  local regions = {
    Keys = region("midi", 90001, "events", "b0", ("b%d@b0"):format(16 * 1920)),
    Wave = region("audio", 90003, "noise", "a0", ("a%d@a%d"):format(noise.count * clock, noise.frame * clock)),
  }
  for track, contents in pairs(regions) do
    if track ~= "Wave" or not options.wave then
      text = change(text, '(<Playlist id="%d+" name="' .. track .. '" [^>]-)/>', "%1>" .. contents .. "</Playlist>")
    end
  end
  text = change(text, '"use%-transport%-fades" value="1"', '"use-transport-fades" value="0"')
  text = change(text, '(name="Return" [^>]-alignment%-choice=)"Automatic"', '%1"' .. options.align .. '"')
  text = change(text, 'npm="120" enpm="120"', ('npm="%s" enpm="%s"'):format(options.tempo, options.tempo))
  if options.insert then
    text = change(text, '(<Route [^>]*name="Wave".-)(<Processor [^>]*type="main%-outs")',
      '%1<Processor id="90010" name="insert 1" active="1" own-input="1" own-output="1" type="port" bitslot="0" latency="'
        .. options.insert .. '" block-size="' .. options.period .. '"><IO name="insert 1" id="90011" direction="Input" default-type="audio">'
        .. '<Port type="audio" name="insert 1/audio_return 1"/></IO>'
        .. '<IO name="insert 1" id="90012" direction="Output" default-type="audio">'
        .. '<Port type="audio" name="insert 1/audio_send 1"/></IO></Processor>%2')
  end
  write(folder .. "/" .. name .. ".ardour", text)
end

-- Results ------------------------------------------------------------------------------------------------------------

-- Prints each sound: its first frame on the timeline, after at least 4800 silent frames.
local function report(sound, position)
  local silence, found = 4800, 0
  for i, sample in ipairs(sound) do
    if math.abs(sample) > 1e-6 then
      if silence >= 4800 then
        found = found + 1
        print(("sound %d at %d"):format(found, position + i - 1))
      end
      silence = 0
    else
      silence = silence + 1
    end
  end
  if found == 0 then print("no sound") end
  if not options.same then return end
  local other, at, first = samples(options.same), 1, 1
  while first <= #sound and math.abs(sound[first]) <= 1e-6 do first = first + 1 end
  while at <= #other and math.abs(other[at]) <= 1e-6 do at = at + 1 end
  print(("%d frames late"):format(position + first - at))
  local tolerance, worst, count = tonumber(options.tolerance), 0, 0
  while sound[first] and other[at] do
    local difference = math.abs(sound[first] - other[at])
    if difference > tolerance then count = count + 1 end
    worst = math.max(worst, difference)
    first, at = first + 1, at + 1
  end
  print(("%d samples differ, by %g at most"):format(count, worst))
end

local function track(session, name)
  for route in session:get_routes():iter() do
    if route:name() == name then return route end
  end
end

local function set(control, value) control:set_value(value, PBD.GroupControlDisposition.NoGroup) end

local user = ARDOUR.TransportRequestSource.TRS_UI

local function roll(session, frame)
  session:request_locate(frame or 0, false, ARDOUR.LocateTransportDisposition.MustStop, user)
  wait(1)
  session:request_roll(user)
  wait(tonumber(options.seconds))
  session:request_stop(false, false, user)
  wait(1)
end


if options.take == "file" then
  report(samples(folder), 0)
  os.exit(0)
end
if options.take == "make" then
  AudioEngine:set_backend("None (Dummy)", "", "")
  make()
  print("done")
  os.exit(0)
end
AudioEngine:set_backend("JACK", "ardour", "")
local session = load_session(folder, name)
if not session then fail("the session does not load") end
if options.sync then session:cfg():set_external_sync(true) end
set(track(session, "Return"):monitoring_control(), 1) -- input
for _, port in ipairs(waits) do
  local tries = 0
  while true do
    local own = AudioEngine:get_port_by_name(port)
    if not own:isnil() and own:connected() then break end
    tries = tries + 1
    if tries > 200 then fail(port .. " is not connected") end
    wait(0.1)
  end
end
wait(1) -- Latencies have to arrive.
print(("latency: output %d, return %d, routes %d"):format(
  session:worst_output_latency(), track(session, "Return"):input():latency(), session:worst_route_latency()))

if options.take == "record" then
  set(track(session, "Return"):to_track():rec_enable_control(), 1)
  wait(0.3)
  session:maybe_enable_record(false)
  roll(session)
  for recorded in track(session, "Return"):to_track():playlist():region_list():iter() do
    local count = recorded:length():samples()
    local memory = ARDOUR.DSP.DspShm(count):to_float(0)
    recorded:to_audioregion():to_readable():read(memory, 0, count, 0)
    report(memory:get_table(count), recorded:position():samples())
  end
elseif options.take == "export" then
  if options.realtime then session:cfg():set_realtime_export(true) end
  local export = session:simple_export()
  export:set_name("export")
  export:set_folder(folder)
  export:set_preset("6c1f5a1e-7d0c-4b0c-9d5e-0a4d5e5f7a11")
  export:set_range(0, 192000)
  if not export:run_export() then fail("no export") end
  wait(0.5)
  report(samples(folder .. "/export.wav"), 0)
else
  for frame in options.from:gmatch("%d+") do roll(session, tonumber(frame)) end
end
print(("xruns %d"):format(session:get_xrun_count()))
print("done")
session = nil
collectgarbage()
close_session()
quit()
