# Made by `moku tsumego tst`. Run with `moku regress tsumego.tst`, or with gogui-regress.

# J-group-ko
loadsgf tsumego/J-group-ko.sgf 1
komi 0
10 reg_genmove black
#? [A12]

# J-group-live
loadsgf tsumego/J-group-live.sgf 1
komi 0
20 reg_genmove white
#? [A12|A13|B13|D13]

# L-group-kill
loadsgf tsumego/L-group-kill.sgf 1
komi 0
30 reg_genmove black
#? [A10|D13]

# L-group-live
loadsgf tsumego/L-group-live.sgf 1
komi 0
40 reg_genmove white
#? [A13]

# L-group-with-a-leg-ko
loadsgf tsumego/L-group-with-a-leg-ko.sgf 1
komi 0
50 reg_genmove black
#? [B13]

# L-group-with-a-leg-live
loadsgf tsumego/L-group-with-a-leg-live.sgf 1
komi 0
60 reg_genmove white
#? [A10|A12|A13|B13]

# bent-four-in-the-corner-ko
loadsgf tsumego/bent-four-in-the-corner-ko.sgf 1
komi 0
70 reg_genmove black
#? [B9]

# bent-four-in-the-corner-live
loadsgf tsumego/bent-four-in-the-corner-live.sgf 1
komi 0
80 reg_genmove white
#? [A9|B9]

# bent-four-with-a-stone-inside-kill
loadsgf tsumego/bent-four-with-a-stone-inside-kill.sgf 1
komi 0
90 reg_genmove black
#? [A9]

# corner-of-six-kill
loadsgf tsumego/corner-of-six-kill.sgf 1
komi 0
100 reg_genmove black
#? [B8|B9|C9|D9]

# corner-of-six-live
loadsgf tsumego/corner-of-six-live.sgf 1
komi 0
110 reg_genmove white
#? [B9]

# corner-pocket-ko
loadsgf tsumego/corner-pocket-ko.sgf 1
komi 0
120 reg_genmove black
#? [A12]

# corner-pocket-live
loadsgf tsumego/corner-pocket-live.sgf 1
komi 0
130 reg_genmove white
#? [A12|B13|D13]

# narrow-corner-kill
loadsgf tsumego/narrow-corner-kill.sgf 1
komi 0
140 reg_genmove black
#? [B8|C9|D9]

# narrow-corner-live
loadsgf tsumego/narrow-corner-live.sgf 1
komi 0
150 reg_genmove white
#? [B9]

# narrow-corner-open-above-kill
loadsgf tsumego/narrow-corner-open-above-kill.sgf 1
komi 0
160 reg_genmove black
#? [B12]

# narrow-corner-open-above-live
loadsgf tsumego/narrow-corner-open-above-live.sgf 1
komi 0
170 reg_genmove white
#? [A12|B12|B13|C13]

# notched-corner-ko
loadsgf tsumego/notched-corner-ko.sgf 1
komi 0
180 reg_genmove white
#? [A12]

# rectangular-six-in-the-corner-kill
loadsgf tsumego/rectangular-six-in-the-corner-kill.sgf 1
komi 0
190 reg_genmove black
#? [B8]

# rectangular-six-in-the-corner-live
loadsgf tsumego/rectangular-six-in-the-corner-live.sgf 1
komi 0
200 reg_genmove white
#? [B8|B9]

# two-one-point-ko
loadsgf tsumego/two-one-point-ko.sgf 1
komi 0
210 reg_genmove black
#? [A8|B9]

# two-one-point-live
loadsgf tsumego/two-one-point-live.sgf 1
komi 0
220 reg_genmove white
#? [A7|A8|B9|C9]

# bent-three-kill
loadsgf tsumego/bent-three-kill.sgf 1
komi 0
230 reg_genmove white
#? [B9]

# bent-three-live
loadsgf tsumego/bent-three-live.sgf 1
komi 0
240 reg_genmove black
#? [B9]

# bent-three-on-the-side-kill
loadsgf tsumego/bent-three-on-the-side-kill.sgf 1
komi 0
250 reg_genmove black
#? [D12]

# bent-three-on-the-side-live
loadsgf tsumego/bent-three-on-the-side-live.sgf 1
komi 0
260 reg_genmove white
#? [D12]

# bulky-five-in-the-corner-kill
loadsgf tsumego/bulky-five-in-the-corner-kill.sgf 1
komi 0
270 reg_genmove black
#? [B8]

# bulky-five-in-the-corner-live
loadsgf tsumego/bulky-five-in-the-corner-live.sgf 1
komi 0
280 reg_genmove white
#? [A8|B8|B9]

# bulky-five-kill
loadsgf tsumego/bulky-five-kill.sgf 1
komi 0
290 reg_genmove white
#? [D12]

# bulky-five-live
loadsgf tsumego/bulky-five-live.sgf 1
komi 0
300 reg_genmove black
#? [C12|D12|D13]

# bulky-five-on-the-long-side-kill
loadsgf tsumego/bulky-five-on-the-long-side-kill.sgf 1
komi 0
310 reg_genmove white
#? [B9]

# bulky-five-on-the-long-side-live
loadsgf tsumego/bulky-five-on-the-long-side-live.sgf 1
komi 0
320 reg_genmove black
#? [B9]

# crossed-five-kill
loadsgf tsumego/crossed-five-kill.sgf 1
komi 0
330 reg_genmove black
#? [D12]

# crossed-five-live
loadsgf tsumego/crossed-five-live.sgf 1
komi 0
340 reg_genmove white
#? [D12]

# pyramid-four-in-the-corner-kill
loadsgf tsumego/pyramid-four-in-the-corner-kill.sgf 1
komi 0
350 reg_genmove white
#? [B9]

# pyramid-four-in-the-corner-live
loadsgf tsumego/pyramid-four-in-the-corner-live.sgf 1
komi 0
360 reg_genmove black
#? [B9]

# pyramid-four-kill
loadsgf tsumego/pyramid-four-kill.sgf 1
komi 0
370 reg_genmove black
#? [D13]

# pyramid-four-live
loadsgf tsumego/pyramid-four-live.sgf 1
komi 0
380 reg_genmove white
#? [D13]

# rabbity-six-in-the-corner-kill
loadsgf tsumego/rabbity-six-in-the-corner-kill.sgf 1
komi 0
390 reg_genmove black
#? [B12]

# rabbity-six-in-the-corner-live
loadsgf tsumego/rabbity-six-in-the-corner-live.sgf 1
komi 0
400 reg_genmove white
#? [A12|B12|B13]

# rabbity-six-kill
loadsgf tsumego/rabbity-six-kill.sgf 1
komi 0
410 reg_genmove white
#? [D12]

# rabbity-six-live
loadsgf tsumego/rabbity-six-live.sgf 1
komi 0
420 reg_genmove black
#? [D12|E12|D13]

# square-four-and-a-gap-live
loadsgf tsumego/square-four-and-a-gap-live.sgf 1
komi 0
430 reg_genmove white
#? [C12|D12|D13]

# straight-three-kill
loadsgf tsumego/straight-three-kill.sgf 1
komi 0
440 reg_genmove black
#? [B9]

# straight-three-live
loadsgf tsumego/straight-three-live.sgf 1
komi 0
450 reg_genmove white
#? [B9]

# double-eye-corner-kill
loadsgf tsumego/double-eye-corner-kill.sgf 1
komi 0
460 reg_genmove black
#? [B12|E12]

# double-eye-corner-live
loadsgf tsumego/double-eye-corner-live.sgf 1
komi 0
470 reg_genmove white
#? [B12]

# false-eye-kill
loadsgf tsumego/false-eye-kill.sgf 1
komi 0
480 reg_genmove black
#? [B11|D12]

# false-eye-live
loadsgf tsumego/false-eye-live.sgf 1
komi 0
490 reg_genmove white
#? [D12]

# stolen-eye-kill
loadsgf tsumego/stolen-eye-kill.sgf 1
komi 0
500 reg_genmove black
#? [D9]

# stolen-eye-live
loadsgf tsumego/stolen-eye-live.sgf 1
komi 0
510 reg_genmove white
#? [B7|C9|D9]

# throw-in-at-the-edge-kill
loadsgf tsumego/throw-in-at-the-edge-kill.sgf 1
komi 0
520 reg_genmove black
#? [E13]

# throw-in-at-the-edge-live
loadsgf tsumego/throw-in-at-the-edge-live.sgf 1
komi 0
530 reg_genmove white
#? [E13]

# corner-five-kill
loadsgf tsumego/corner-five-kill.sgf 1
komi 0
540 reg_genmove black
#? [B9|E9]

# corner-five-live
loadsgf tsumego/corner-five-live.sgf 1
komi 0
550 reg_genmove white
#? [B9|E9]

# corner-of-seven-kill
loadsgf tsumego/corner-of-seven-kill.sgf 1
komi 0
560 reg_genmove black
#? [B13|E13]

# corner-of-seven-live
loadsgf tsumego/corner-of-seven-live.sgf 1
komi 0
570 reg_genmove white
#? [F12|B13|E13|F13]

# second-line-seven-kill
loadsgf tsumego/second-line-seven-kill.sgf 1
komi 0
580 reg_genmove black
#? [D13|K13]

# second-line-seven-live
loadsgf tsumego/second-line-seven-live.sgf 1
komi 0
590 reg_genmove white
#? [D13|G13|K13]

# seki-with-three-stones-kill
loadsgf tsumego/seki-with-three-stones-kill.sgf 1
komi 0
600 reg_genmove black
#? [C12|D12]

# seki-with-three-stones-live
loadsgf tsumego/seki-with-three-stones-live.sgf 1
komi 0
610 reg_genmove white
#? [C12]

# comb-with-a-hole-kill
loadsgf tsumego/comb-with-a-hole-kill.sgf 1
komi 0
620 reg_genmove black
#? [C13|D13|E13]

# comb-with-a-hole-live
loadsgf tsumego/comb-with-a-hole-live.sgf 1
komi 0
630 reg_genmove white
#? [C13|D13|E13]

# second-line-five-with-a-room-kill
loadsgf tsumego/second-line-five-with-a-room-kill.sgf 1
komi 0
640 reg_genmove white
#? [B13|D13|F13]

# second-line-five-with-a-room-live
loadsgf tsumego/second-line-five-with-a-room-live.sgf 1
komi 0
650 reg_genmove black
#? [D13]

# ko-to-begin-ko
loadsgf tsumego/ko-to-begin-ko.sgf 1
komi 0
660 reg_genmove black
#? [A8]

# ko-to-begin-live
loadsgf tsumego/ko-to-begin-live.sgf 1
komi 0
670 reg_genmove white
#? [C9]

# oiotoshi-kill
loadsgf tsumego/oiotoshi-kill.sgf 1
komi 0
680 reg_genmove black
#? [D13]

# oiotoshi-live
loadsgf tsumego/oiotoshi-live.sgf 1
komi 0
690 reg_genmove white
#? [D13]

# sacrifice-of-three-kill
loadsgf tsumego/sacrifice-of-three-kill.sgf 1
komi 0
700 reg_genmove black
#? [B9]

# snapback-kill
loadsgf tsumego/snapback-kill.sgf 1
komi 0
710 reg_genmove black
#? [D13]

# snapback-live
loadsgf tsumego/snapback-live.sgf 1
komi 0
720 reg_genmove white
#? [D13]

# throw-in-and-take-kill
loadsgf tsumego/throw-in-and-take-kill.sgf 1
komi 0
730 reg_genmove black
#? [A9]
