# Makes a Markdown table of join_bench's lines: a row for each collection and threshold, a column for each technique, the best
# of them bold, and how auto compares with it.
#
#     bench/run.sh BUILD FILE... | awk -f bench/table.awk

$4 == "join" {
    name = $1
    sub(/\.(txt|akin)(\.(gz|zst))?$/, "", name)
    row = name " | " $2
    if (!(row in seen)) {
        seen[row] = 1
        rows[++row_count] = row
    }
    technique = $3
    if (technique == "auto") {
        chosen = $0
        sub(/ *compared.*/, "", chosen)
        sub(/.* /, "", chosen)
        choice[row] = chosen
    } else if (!(technique in column)) {
        column[technique] = ++column_count
        columns[column_count] = technique
    }
    seconds[row, technique] = $5
    if (technique != "auto" && (!(row in best) || $5 + 0 < best[row]))
        best[row] = $5 + 0
}

function figure(value) {
    return value < 0.01 ? sprintf("%.4f", value) : value < 0.1 ? sprintf("%.3f", value) : sprintf("%.3g", value)
}

END {
    printf "| data | threshold |"
    for (c = 1; c <= column_count; c++)
        printf " %s |", columns[c]
    printf " auto | auto / best | auto chose |\n| --- | --- |"
    for (c = 1; c <= column_count + 3; c++)
        printf " --- |"
    printf "\n"
    for (r = 1; r <= row_count; r++) {
        row = rows[r]
        printf "| %s |", row
        for (c = 1; c <= column_count; c++) {
            if (!((row, columns[c]) in seconds))
                printf " - |"
            else if (seconds[row, columns[c]] + 0 == best[row])
                printf " **%s** |", figure(seconds[row, columns[c]])
            else
                printf " %s |", figure(seconds[row, columns[c]])
        }
        printf " %s | %.2f | %s |\n", figure(seconds[row, "auto"]), seconds[row, "auto"] / best[row], choice[row]
    }
}
