# Makes a table of the rows of plan_bench: what the planner chose, what was the fastest, and how the predicted times
# compare with the measured ones.
BEGIN { FS = "\t" }
function milliseconds(s) { return sprintf(s < .0995 ? "%.1f" : "%.0f", 1000 * s) }
function end_cell(    best, times, over, near) {
    if (cell == "") return
    times = chosen / fastest
    over = chosen - fastest
    near = times <= 1.15 || over <= .005
    cells++
    good += near
    if (!near && times > 1.5) bad++
    if (times > worst && over > .005) { worst = times; worst_cell = cell }
    printf "| %s | %s | %s | %s | %s | %.2f%s | %s | %s |\n", cell, chosen_by, milliseconds(chosen), fastest_by,
        milliseconds(fastest), times, near ? "" : " !", milliseconds(predicted), milliseconds(plan)
}
{
    name = $1
    sub(/^held-out-/, "", name)
    sub(/\.(akin|txt|zst|txt\.zst)$/, "", name)
    key = name " | " $2
    if (key != cell) {
        if (cell == "") print "| collection | threshold | chosen | ms | fastest | ms | times | predicted ms | plan ms |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- |"
        end_cell()
        cell = key
        fastest = 1e9
    }
    if ($3 == "auto") { chosen = $6; chosen_by = $4; plan = $7; predicted = $9 }
    else {
        ratio = $9 > $6 ? $9 / $6 : $6 / $9
        rows[$3]++; rows["all"]++
        if (ratio <= 2) { hit[$3]++; hit["all"]++ }
    }
    if ($3 == "auto") { ratio = $9 > $6 ? $9 / $6 : $6 / $9; rows["auto"]++; if (ratio <= 2) hit["auto"]++ }
    if ($6 < fastest) { fastest = $6; fastest_by = $4 }
}
END {
    end_cell()
    printf "\n%d cells: %.1f %% within 1.15 times or 5 ms of the fastest; %d beyond 1.5 times; the worst: %s, %.2f times\n", cells,
        100 * good / cells, bad, worst_cell ? worst_cell : "none", worst ? worst : 1
    printf "predicted within 2 times:"
    for (t in rows) printf " %s %.1f %%", t, 100 * hit[t] / rows[t]
    print ""
}
