# Makes a table of the rows of plan_bench: what the planner chose, what was the fastest, and how the predicted times
# compare with the measured ones. Where the planner's choice is a join that was also asked for by its name, the lesser of
# both times is that of the join.
BEGIN {
    FS = "\t"
    print "| collection | threshold | chosen | ms | fastest | ms | times | predicted ms | plan ms |"
    print "| --- | --- | --- | --- | --- | --- | --- | --- | --- |"
}
function milliseconds(s) { return sprintf(s < .0995 ? "%.1f" : "%.0f", 1000 * s) }
function name_of(step,    name) {
    name = step
    sub(/\*1$/, "", name)
    sub(/:0\/0/, "", name)
    return name
}
function end_cell(    times, near) {
    if (cell == "") return
    times = chosen / fastest
    near = times <= 1.15 || chosen - fastest <= .005
    cells++
    good += near
    bad += !near && times > 1.5
    if (!near && times > worst) { worst = times; worst_cell = cell }
    printf "| %s | %s | %s | %s | %s | %.2f%s | %s | %s |\n", cell, name_of(chosen_by), milliseconds(chosen),
        name_of(fastest_by), milliseconds(fastest), times, near ? "" : " !", milliseconds(predicted), milliseconds(plan)
}
function count_prediction(technique, predicted, measured) {
    rows[technique]++
    if (predicted <= 2 * measured && measured <= 2 * predicted) hits[technique]++
}
{
    name = $1
    sub(/^held-out-/, "", name)
    sub(/\.(akin|txt|txt\.zst)$/, "", name)
    if (name " | " $2 != cell) {
        end_cell()
        cell = name " | " $2
        fastest = 1e9
    }
    count_prediction($3, $9, $6)
    if ($3 == "auto") { chosen = $6; chosen_by = $4; plan = $7; predicted = $9 }
    else count_prediction("all techniques", $9, $6)
    if ($4 == chosen_by && $6 < chosen) chosen = $6
    if ($6 < fastest) { fastest = $6; fastest_by = $4 }
    if ($3 != "auto" && $4 == chosen_by && chosen <= fastest) fastest = chosen
}
END {
    end_cell()
    printf "\n%d cells: %.1f %% within 1.15 times or 5 ms of the fastest, %d beyond 1.5 times; the worst: %s\n", cells,
        100 * good / cells, bad, worst ? worst_cell ", " sprintf("%.2f", worst) " times" : "none"
    printf "predicted within 2 times:"
    split("auto|all techniques|allpairs|ppjoin|groupjoin|bitmap|screened|tensor|prefix", order, "|")
    for (i = 1; i <= 9; i++)
        if (rows[order[i]]) printf "%s %s %.1f %%", (i > 1 ? "," : ""), order[i], 100 * hits[order[i]] / rows[order[i]]
    print ""
}
