// Draws the charts of a report from its tables, and lets its pairs be searched, sorted and looked into. Whatever the records
// hold goes into the page as text nodes alone.
"use strict";

const threshold = Number(document.body.dataset.threshold);
const least = Number(document.body.dataset.least);
const isLearnt = document.body.classList.contains("learnt");
const one = selector => document.querySelector(selector);
const all = (selector, within = document) => [...within.querySelectorAll(selector)];

/* ---------------------------------------------------------------------------------------------------------- elements */

function fill(node, attributes, children) {
    for (const [name, value] of Object.entries(attributes))
        if (value !== false && value !== undefined)
            node.setAttribute(name, value);
    node.append(...children.flat().filter(child => child !== null && child !== undefined));
    return node;
}

function h(tag, attributes = {}, ...children) {
    return fill(document.createElement(tag), attributes, children);
}

function s(tag, attributes = {}, ...children) {
    return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

const label = (x, y, text, type, anchor = "start") =>
    s("text", {x: x, y: y, class: type, "text-anchor": anchor}, text);
const line = (x1, y1, x2, y2, type) => s("line", {x1: x1, y1: y1, x2: x2, y2: y2, class: type});
const grouped = count => count.toLocaleString("en-US", {maximumFractionDigits: 0});
const figure = cell => Number(cell.dataset.v ?? cell.textContent.replace(/,/g, ""));
const rows = (table) => all("tbody tr", table).map(row => all("td", row).map(figure));
const rounded = (value, digits = 4) => value.toFixed(digits);

const short = count => count.toLocaleString("en-US", {notation: count < 1e4 ? "standard" : "compact"});

// A similarity as it was given, but no longer than need be; one of many zeros is a decimal, too.
function brief(value) {
    const zeros = value === 0 ? 0 : -Math.floor(Math.log10(Math.abs(value)));
    return value.toFixed(Math.min(20, Math.max(6, zeros + 2))).replace(/\.?0+$/, "");
}

/* ------------------------------------------------------------------------------------------------------------ charts */

// Draws again whenever the width changes.
function chart(plot, height, describe, draw) {
    const hint = h("div", {class: "hint", "aria-hidden": "true"});
    let width = 0;
    const redraw = () => {
        const now = Math.floor(plot.clientWidth);
        if (now === width || now < 200) /* too narrow for anything: it is being laid out */
            return;
        width = now;
        const svg = s("svg", {width: width, height: height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": describe});
        draw(svg, width, height, hint);
        plot.replaceChildren(svg, hint);
    };
    plot.append(hint);
    plot.style.minHeight = height + "px";
    plot.style.display = "block";
    new ResizeObserver(redraw).observe(plot);
    redraw();
}

// An area that tells something when it is pointed at.
function hit(hint, x, y, width, height, text) {
    const area = s("rect", {x: x, y: y, width: width, height: height, class: "hit"});
    area.addEventListener("pointerenter", () => {
        hint.textContent = text;
        const most = hint.parentElement.clientWidth - hint.offsetWidth;
        hint.style.transform = `translate(${Math.max(0, Math.min(x - hint.offsetWidth / 2, most))}px, ${y - 30}px)`;
    });
    area.addEventListener("pointerleave", () => hint.textContent = "");
    return area;
}

function similarityAxis(svg, x, y, from, to) {
    const step = to - from > 0.5 ? 0.2 : to - from > 0.2 ? 0.1 : 0.05;
    svg.append(line(x(from), y, x(to), y, "base"));
    for (let k = Math.ceil(from / step - 1e-9); k * step <= to + 1e-9; k++)
        svg.append(line(x(k * step), y, x(k * step), y + 4, "base"),
                   label(x(k * step), y + 17, brief(k * step), "", "middle"));
}

// A limit with its name beside it, on the side that has room.
function limit(svg, x, top, bottom, text, width) {
    const left = x > width - 110;
    svg.append(line(x, top, x, bottom, "limit"),
               label(x + (left ? -5 : 5), top + 9, text, "limit-text", left ? "end" : "start"));
}

function drawOverall(table) {
    const bins = rows(table).map(([from, found, near, guess, right = 0]) => ({from, found, near, guess, right}));
    const most = Math.max(1, ...bins.map(bin => Math.max(bin.found + bin.near, bin.guess)));
    const sum = name => bins.reduce((total, bin) => total + bin[name], 0);
    chart(one("#overall"), 300, isLearnt ? "Numbers of pairs by probability" : "Numbers of pairs by similarity", (svg, width, height, hint) => {
        const left = 46, right = 14, top = 26, bottom = height - 26;
        const x = v => left + (width - left - right) * v / 1.01, low = Math.log10(0.6);
        const y = v => v <= 0 ? bottom : bottom - (bottom - top) * (Math.log10(v) - low) / (Math.log10(most * 1.3) - low);
        for (let power = 0; 10 ** power <= most * 1.3; power++)
            svg.append(line(left, y(10 ** power), width - right, y(10 ** power), "axis"),
                       label(left - 6, y(10 ** power) + 4, short(10 ** power), "", "end"));
        const wide = Math.max(1, x(0.01) - x(0) - (width > 600 ? 1.5 : 0.5));
        const bar = (bin, count, type) => count > 0 &&
            svg.append(s("rect", {x: x(bin.from), y: y(count), width: wide, height: bottom - y(count), class: type}));
        for (const bin of bins) {
            bar(bin, bin.guess, "guess");
            bar(bin, bin.found + bin.near, bin.found ? "found" : "near");
            if (bin.found && bin.near) /* the threshold is within the bin */
                bar(bin, bin.near, "near");
            if (bin.right > 0)
                svg.append(line(x(bin.from), y(bin.right), x(bin.from) + wide, y(bin.right), "right"));
        }
        similarityAxis(svg, x, bottom, 0, 1);
        limit(svg, x(threshold), top - 18, bottom, "threshold " + brief(threshold), width);
        const has = table.querySelectorAll("thead th").length > 4;
        for (const bin of bins)
            svg.append(hit(hint, x(bin.from), top, wide + 1, bottom - top,
                           `${rounded(bin.from, 2)}: ` + [bin.guess && "about " + grouped(bin.guess) + " pairs",
                           bin.near && grouped(bin.near) + " not found", bin.found && grouped(bin.found) + " found",
                           has && bin.right && grouped(bin.right) + " right"].filter(Boolean).join(", ")));
    });
    const key = h("p", {class: "key"}, keyOf("found", `found ${grouped(sum("found"))}`),
                  sum("near") ? keyOf("near", `not found ${grouped(sum("near"))}`) : null,
                  sum("guess") ? keyOf("guess", "not found, estimated") : null,
                  sum("right") ? keyOf("right", "right, by the gold standard") : null);
    one("#overall").before(key);
}

function keyOf(type, text) {
    const sign = s("svg", {width: 14, height: 10, "aria-hidden": "true"},
                   type === "right" ? line(0, 5, 14, 5, "right") : s("rect", {width: 14, height: 10, class: type}));
    return h("span", {}, sign, text);
}

// Found pairs upwards and compared ones downwards, as shares, in steps of 0.02.
function drawColumn(box) {
    const count = 51, found = new Array(count).fill(0), compared = new Array(count).fill(0);
    for (const [from, up, down] of rows(box.querySelector("table"))) {
        const bin = Math.floor(Math.round(from * 100) / 2);
        found[bin] += up;
        compared[bin] += down;
    }
    const sums = [found, compared].map(bins => Math.max(1, bins.reduce((a, b) => a + b, 0)));
    const most = Math.max(...found.map(up => up / sums[0]), ...compared.map(down => down / sums[1]));
    const own = Number(box.dataset.threshold), name = box.querySelector("h3").textContent;
    chart(box.querySelector(".plot"), 190, `Similarities of ${name}`, (svg, width, height, hint) => {
        const left = 8, right = 8, top = 20, bottom = height - 22, middle = Math.round((top + bottom) / 2);
        const x = v => left + (width - left - right) * v / 1.02;
        const tall = share => Math.sqrt(share / most) * (middle - top);
        const wide = Math.max(1, x(0.02) - x(0) - 1);
        for (let bin = 0; bin < count; bin++) {
            const up = found[bin] / sums[0], down = compared[bin] / sums[1], at = x(bin / 50);
            if (up > 0)
                svg.append(s("rect", {x: at, y: middle - tall(up), width: wide, height: Math.max(1, tall(up)), class: "found"}));
            if (down > 0)
                svg.append(s("rect", {x: at, y: middle, width: wide, height: Math.max(1, tall(down)), class: "near"}));
        }
        svg.append(line(left, middle, width - right, middle, "base"),
                   label(left, top + 10, "found", "strong"), label(left, bottom - 5, "compared", "strong"));
        for (const v of [0, 0.2, 0.4, 0.6, 0.8, 1])
            svg.append(line(x(v), bottom, x(v), bottom + 4, "base"), label(x(v), bottom + 17, brief(v), "", "middle"));
        if (own > 0)
            limit(svg, x(own), 2, bottom, "threshold " + brief(own), width);
        for (let bin = 0; bin < count; bin++)
            svg.append(hit(hint, x(bin / 50), top, wide + 1, bottom - top,
                           `${rounded(bin / 50, 2)}: ${rounded(100 * found[bin] / sums[0], 1)} % of found, ` +
                           `${rounded(100 * compared[bin] / sums[1], 1)} % of compared`));
    });
}

// Names at the ends of lines, moved apart.
function nameLines(svg, ends, x, top, bottom) {
    ends.sort((a, b) => a.y - b.y);
    for (let i = 1; i < ends.length; i++)
        ends[i].y = Math.max(ends[i].y, ends[i - 1].y + 15);
    for (let i = ends.length - 1, floor = bottom; i >= 0; i--, floor -= 15)
        ends[i].y = Math.max(top, Math.min(ends[i].y, floor));
    for (const end of ends)
        svg.append(label(x, end.y + 4, end.text, end.type));
}

const path = (points, x, y) => points.map(([a, b], i) => (i ? "L" : "M") + x(a).toFixed(1) + " " + y(b).toFixed(1)).join("");

function shareAxis(svg, y, left, right) {
    for (const v of [0, 0.25, 0.5, 0.75, 1])
        svg.append(line(left, y(v), right, y(v), "axis"), label(left - 6, y(v) + 4, brief(v), "", "end"));
}

function drawThresholds(points) {
    const best = points.reduce((a, b) => b.f1 >= a.f1 ? b : a), isAny = best.f1 > 0;
    chart(one("#thresholds"), 300, "Precision, recall and F1 by threshold", (svg, width, height, hint) => {
        const left = 36, right = 92, top = 30, bottom = height - 26, from = points[0].at;
        const x = v => left + (width - left - right) * (v - from) / (1 - from), y = v => bottom - (bottom - top) * v;
        shareAxis(svg, y, left, width - right);
        similarityAxis(svg, x, bottom, from, 1);
        const lines = [["precision", "precision"], ["recall", "recall"], ["f1", "F1"], ["closed", "F1, clusters"]]
            .filter(([name]) => points[0][name] !== undefined);
        const ends = lines.map(([name, text]) => {
            svg.append(s("path", {class: "line " + name, d: path(points.map(p => [p.at, p[name]]), x, y)}));
            return {y: y(points[points.length - 1][name]), text: text, type: name};
        });
        nameLines(svg, ends, width - right + 6, top, bottom);
        limit(svg, x(threshold), 4, bottom, "threshold " + brief(threshold), width - right);
        if (isAny)
            svg.append(s("circle", {cx: x(best.at), cy: y(best.f1), r: 4.5, class: "dot"}));
        const wide = (x(1) - x(from)) / points.length;
        for (const p of points)
            svg.append(hit(hint, x(p.at) - wide / 2, top, wide, bottom - top, `${rounded(p.at, 2)}: precision ` +
                           `${rounded(p.precision)}, recall ${rounded(p.recall)}, F1 ${rounded(p.f1)}`));
    });
    const says = !isAny ? "F1 is 0 at every threshold: no found pair is right."
        : best === points[0] && least < threshold
        ? `F1 is best, ${rounded(best.f1)}, at the lowest known threshold, ${rounded(best.at, 2)}. ` +
          "A lower threshold may be better."
        : `F1 is best, ${rounded(best.f1)}, at ${rounded(best.at, 2)} (the circle).`;
    one("#thresholds").before(h("p", {}, isAny ? `${says} At ${brief(threshold)} it is ${one("#f1").textContent}.` : says));
}

function drawRecall(points) {
    const known = points.filter(p => p.pairs > 0);
    chart(one("#recall"), 300, "Precision against recall", (svg, width, height, hint) => {
        const left = 36, right = 20, top = 30, bottom = height - 40;
        const x = v => left + (width - left - right) * v, y = v => bottom - (bottom - top) * v;
        shareAxis(svg, y, left, width - right);
        svg.append(line(x(0), bottom, x(1), bottom, "base"), label(x(1), bottom + 33, "recall", "strong", "end"),
                   label(left, top - 12, "precision", "strong"));
        for (const v of [0, 0.25, 0.5, 0.75, 1])
            svg.append(line(x(v), bottom, x(v), bottom + 4, "base"), label(x(v), bottom + 17, brief(v), "", "middle"));
        svg.append(s("path", {class: "line f1", d: path(known.map(p => [p.recall, p.precision]), x, y)}));
        for (const p of known)
            svg.append(s("circle", {cx: x(p.recall), cy: y(p.precision), r: 2, class: "found"}));
        const here = {x: x(figure(one("#recall-at"))), y: y(figure(one("#precision")))};
        const end = here.x > width / 2;
        svg.append(s("circle", {cx: here.x, cy: here.y, r: 4.5, class: "dot"}),
                   label(here.x + (end ? -9 : 9), here.y + 17, "threshold " + brief(threshold), "limit-text", end ? "end" : "start"));
        for (const p of known)
            svg.append(hit(hint, x(p.recall) - 4, y(p.precision) - 4, 8, 8, `${rounded(p.at, 2)}: precision ` +
                           `${rounded(p.precision)}, recall ${rounded(p.recall)}`));
    });
}

function drawCurves(table) {
    const points = rows(table).map(([at, pairs, right, precision, recall, f1, closed]) =>
        ({at, pairs, right, precision, recall, f1, closed}));
    if (points.length > 1 && points.some(point => point.pairs > 0)) {
        drawThresholds(points);
        drawRecall(points);
    } else if (points.length > 1) {
        all("#thresholds, #recall").forEach(plot => plot.before(h("p", {}, "There is no pair to draw.")));
    }
}

/* ------------------------------------------------------------------------------------------------------- differences */

const segments = globalThis.Intl?.Segmenter ? new Intl.Segmenter("en", {granularity: "grapheme"}) : null;
const symbolsOf = text => segments ? [...segments.segment(text)].map(segment => segment.segment) : [...text];

// Which symbols of two texts stay in their longest common subsequence; texts that are far too long for that differ wholly
// between their common beginning and end.
function common(a, b) {
    const stays = [new Array(a.length).fill(false), new Array(b.length).fill(false)];
    let first = 0, last = 0;
    while (first < a.length && first < b.length && a[first] === b[first])
        stays[0][first] = stays[1][first++] = true;
    while (last < a.length - first && last < b.length - first && a[a.length - 1 - last] === b[b.length - 1 - last]) {
        stays[0][a.length - 1 - last] = stays[1][b.length - 1 - last] = true;
        last++;
    }
    const m = a.length - first - last, n = b.length - first - last;
    if (m === 0 || n === 0 || m * n > 250000)
        return stays;
    const table = Array.from({length: m + 1}, () => new Uint16Array(n + 1));
    for (let i = m - 1; i >= 0; i--)
        for (let j = n - 1; j >= 0; j--)
            table[i][j] = a[first + i] === b[first + j] ? table[i + 1][j + 1] + 1 : Math.max(table[i + 1][j], table[i][j + 1]);
    const runs = [];
    for (let i = 0, j = 0; i < m && j < n;) {
        if (a[first + i] === b[first + j]) {
            const run = {i: i, j: j, length: 0};
            for (; i < m && j < n && a[first + i] === b[first + j]; i++, j++)
                run.length++;
            runs.push(run);
        } else if (table[i + 1][j] >= table[i][j + 1])
            i++;
        else
            j++;
    }
    for (const run of worthwhile(runs, m, n))
        for (let k = 0; k < run.length; k++)
            stays[0][first + run.i + k] = stays[1][first + run.j + k] = true;
    return stays;
}

// A few symbols in common amid many that differ are an accident: runs no longer than what differs on each side are dropped.
function worthwhile(runs, m, n) {
    for (let at = 0; at < runs.length;) {
        const run = runs[at], before = runs[at - 1] ?? {i: 0, j: 0, length: 0}, after = runs[at + 1] ?? {i: m, j: n};
        const left = Math.max(run.i - before.i, run.j - before.j) - before.length;
        const right = Math.max(after.i - run.i, after.j - run.j) - run.length;
        if (run.length > Math.min(left, right)) {
            at++;
        } else {
            runs.splice(at, 1);
            at = Math.max(0, at - 1);
        }
    }
    return runs;
}

// What cannot be seen, or looks like something else: it is shown by its number.
const unseen = /^(?:[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}\p{DI}]|(?! )\p{Zs})$/u;
const sign = symbol => h("span", {class: "sign", title: "an invisible character, or one that is hard to see"},
                         "U+" + symbol.codePointAt(0).toString(16).toUpperCase().padStart(4, "0"));

// Nodes for symbols, those that do not stay marked.
function marked(symbols, stays) {
    const nodes = [];
    for (let i = 0; i < symbols.length;) {
        const same = stays[i], run = [];
        for (; i < symbols.length && stays[i] === same; i++) {
            const parts = [...symbols[i]];
            for (const part of parts.length > 1 && !parts.some(p => unseen.test(p) && !"\u200d\ufe0f".includes(p)) ? [symbols[i]] : parts) {
                if (unseen.test(part) && part !== "\n" && part !== "\t")
                    run.push(sign(part));
                else if (typeof run[run.length - 1] === "string")
                    run[run.length - 1] += part;
                else
                    run.push(part);
            }
        }
        nodes.push(...same ? run : [h("mark", {}, run)]);
    }
    return nodes;
}

// Nodes for a text in which nothing differs, and the same where there is room for text alone.
const shown = text => {
    const symbols = symbolsOf(text);
    return marked(symbols, symbols.map(() => true));
};
const spelled = text => shown(text).map(node => node.textContent ?? node).join("");

// The text of a value; null: there is none.
const textOf = value => value.tagName === "BDI" ? value.textContent : null;

// Marks where two values differ; returns whether they do.
function markPair(left, right) {
    const a = textOf(left), b = textOf(right);
    if (a === null && b === null)
        return false;
    const x = symbolsOf(a ?? ""), y = symbolsOf(b ?? "");
    const stays = a === null || b === null ? [x.map(() => true), y.map(() => true)] : common(x, y);
    if (a !== null)
        left.replaceChildren(...marked(x, stays[0]));
    if (b !== null)
        right.replaceChildren(...marked(y, stays[1]));
    return a !== b;
}

/* ------------------------------------------------------------------------------------------------------------- pairs */

const comparisons = all("#weights figure h3 bdi").map(name => name.textContent);
const rules = all("#rules tbody tr").map(row => ({
    column: row.dataset.column,
    name: row.querySelector("th bdi").textContent,
    comparator: row.children[1].textContent,
    threshold: isLearnt ? 0 : figure(row.children[2]),
    weight: isLearnt ? 0 : figure(row.children[3])
}));
// A column that is compared in more than one way is called by that, too, as in --pairs.
for (const rule of rules)
    rule.way = rules.some(other => other !== rule && other.column === rule.column) ? ":" + rule.comparator : "";
const selections = all("#selections tbody th").map(cell => cell.querySelector("bdi").textContent);

// What a row of the table says, read once.
function readPair(row, place) {
    const cells = [...row.cells];
    return {
        row, place,
        average: Number(row.dataset.average),
        shown: cells[0].firstChild.data.trim(),
        kind: row.dataset.kind,
        right: row.dataset.right,
        each: row.dataset.each.split(" "),
        counts: row.dataset.counts?.split(" ").map(Number),
        bits: row.dataset.bits?.split(" "),
        by: row.dataset.by ? row.dataset.by.split(" ").map(Number) : [],
        ids: [...cells[1].children].map(id => id.textContent),
        values: cells.slice(2).map(cell => [...cell.children].map(textOf)),
        text: cells.slice(1).map(cell => [...cell.children].map(value => textOf(value) ?? "").join("\n")).join("\n").toLowerCase(),
        isMarked: false
    };
}

function markRow(pair) {
    if (pair.isMarked)
        return;
    pair.isMarked = true;
    [...pair.row.cells].slice(2).forEach((cell, i) => {
        if (!markPair(cell.children[0], cell.children[1]))
            cell.classList.add("alike");
        cell.title = cell.dataset.label = spelled(columnNames[i]);
    });
}

const columnNames = all(".pairs thead th").slice(2).map(cell => cell.textContent);

// What the weights of a pair come to: a column that is left out does not count.
function weightsOf(pair) {
    const skips = document.body.dataset.missing === "skip";
    return rules.reduce((sum, rule, i) => sum + (skips && pair.each[i] === "none" ? 0 : rule.weight), 0);
}

// What is said of a similarity, and of what became of it.
function saidOf(rule, given, part, isLeftOut, weights) {
    if (given === "none")
        return isLeftOut ? "missing, left out" : part > 0 ? "missing in both: 1" : "missing: 0";
    if (given === "low")
        return `below ${brief(rule.threshold)}: 0`;
    const similarity = rounded(Number(given));
    if (Number(given) < rule.threshold)
        return `${similarity}, below ${brief(rule.threshold)}: 0`;
    return rules.length > 1 ? `${similarity} \u00d7 ${brief(rule.weight)} / ${brief(weights)}` : similarity;
}

// One line for each column: what it adds to the average, and in outline what it could have added.
function drawWaterfall(box, pair) {
    const width = Math.max(220, box.clientWidth), step = 40, top = 34, height = top + step * (rules.length + 1) + 2;
    const svg = s("svg", {width: width, height: height, viewBox: `0 0 ${width} ${height}`, role: "img",
                          "aria-label": `What the columns add up to: ${pair.shown}, against the threshold ${brief(threshold)}`});
    const x = v => 1 + (width - 2) * v, weights = weightsOf(pair), labels = [];
    const bar = (from, length, y, tall, type) =>
        svg.append(s("rect", {x: x(from), y: y, width: Math.max(0, x(from + length) - x(from)), height: tall, class: type}));
    // The threshold is drawn across the bars, and not through the words between them.
    const across = y => svg.append(line(x(threshold), y + 15, x(threshold), y + 32, "limit"));
    let sum = 0, y = top;
    for (const [i, rule] of rules.entries()) {
        const isLeftOut = document.body.dataset.missing === "skip" && pair.each[i] === "none";
        const most = isLeftOut || weights === 0 ? 0 : rule.weight / weights, part = weights ? pair.counts[i] / weights : 0;
        const room = Math.max(6, (width < 330 ? 16 : 24) - rule.way.length);
        labels.push(label(0, y + 11, clip(spelled(rule.name), room) + rule.way, "strong"),
                    label(width, y + 11, saidOf(rule, pair.each[i], part, isLeftOut, weights), "", "end"));
        bar(sum, most, y + 18, 11, "could");
        bar(sum, part, y + 18, 11, "found");
        sum += part;
        svg.append(line(x(sum), y + 18, x(sum), y + step + 18, "thread"));
        across(y);
        y += step;
    }
    bar(0, pair.average, y + 18, 13, pair.average >= threshold - 5e-10 ? "found" : "near");
    limit(svg, x(threshold), 4, 17, "threshold " + brief(threshold), width);
    across(y);
    svg.append(...labels, label(0, y + 11, "Weighted average", "strong"), label(width, y + 11, pair.shown, "strong", "end"));
    box.replaceChildren(svg);
}

// A line for each part of the evidence, in bits: how far it moves the logarithm of the odds.
function drawEvidence(box, pair) {
    const ends = ["Rare or frequent values", "Columns that say the same", "Other pairs of the records"];
    const names = ["Before values are known", ...comparisons.map(spelled), ...ends];
    const parts = names.map((name, i) => ({name, bits: Number(pair.bits[i]), isMissing: pair.bits[i] === "none"}))
        .filter((part, i) => i <= comparisons.length || part.bits !== 0);
    const signed = bits => (bits < 0 ? "\u2212" : "+") + rounded(Math.abs(bits), 1);
    let sum = 0;
    for (const part of parts) {
        part.from = sum;
        part.to = sum += part.isMissing ? 0 : part.bits;
    }
    const aim = Math.log2(threshold / Math.max(1e-12, 1 - threshold));
    const stops = [0, aim, ...parts.map(part => part.to)], low = Math.min(...stops), high = Math.max(...stops);
    const width = Math.max(220, box.clientWidth), step = 34, top = 34, height = top + step * (parts.length + 1) + 2;
    const x = bits => 2 + (width - 4) * (bits - low) / (high - low || 1), labels = [];
    const svg = s("svg", {width: width, height: height, viewBox: `0 0 ${width} ${height}`, role: "img",
                          "aria-label": `The evidence in bits: ${parts.map(part => `${part.name} ${part.isMissing ? "missing" : signed(part.bits)}`).join(", ")}; ` +
                                        `together ${signed(sum)}, probability ${pair.shown}`});
    const bar = (from, to, y, tall, type) =>
        svg.append(s("rect", {x: x(Math.min(from, to)), y: y, width: Math.max(1, Math.abs(x(to) - x(from))), height: tall, class: type}));
    const across = y => svg.append(line(x(aim), y + 14, x(aim), y + 28, "limit"));
    let y = top;
    for (const part of parts) {
        labels.push(label(0, y + 11, clip(part.name, width < 330 ? 20 : 30), "strong"),
                    label(width, y + 11, part.isMissing ? "missing: 0" : signed(part.bits), "", "end"));
        if (!part.isMissing)
            bar(part.from, part.to, y + 15, 10, part.bits < 0 ? "near" : "found");
        svg.append(line(x(part.to), y + 15, x(part.to), y + step + 15, "thread"));
        across(y);
        y += step;
    }
    bar(0, sum, y + 15, 12, pair.average >= threshold ? "found" : "near");
    limit(svg, x(aim), 4, 17, "threshold " + brief(threshold), width);
    across(y);
    svg.append(...labels, label(0, y + 11, `Sum ${signed(sum)} bits`, "strong"), label(width, y + 11, pair.shown, "strong", "end"));
    box.replaceChildren(svg);
}

const drawParts = (box, pair) => isLearnt ? drawEvidence(box, pair) : drawWaterfall(box, pair);

const clip = (text, most) => [...text].length > most ? [...text].slice(0, most - 1).join("") + "\u2026" : text;

const words = {
    found: ["Found", "Found, wrong", "Found, right"],
    beaten: ["Displaced by a better pair", "Correctly displaced", "Missed: displaced by a better pair"],
    near: ["Not found", "Correctly not found", "Missed"],
    below: ["Not found", "Correctly not found", "Missed"],
    skipped: ["Not compared", "Correctly not compared", "Missed: it was not compared"]
};

function verdictOf(pair) {
    const verdict = words[pair.kind][pair.right === undefined ? 0 : 1 + Number(pair.right)];
    const away = Math.abs(pair.average - threshold);
    const far = away < 5e-13 ? "exactly at the threshold" : `${away < 1e-3 ? brief(Number(away.toPrecision(2))) : rounded(away)} ${pair.average > threshold ? "above" : "below"} it`;
    const by = pair.by.length ? "; selected by " + pair.by.map(i => spelled(selections[i])).join(", ") : "";
    return [h("strong", {}, verdict), `: ${pair.shown}, ${far}${by}.`];
}

function showPair(panel, pair) {
    panel.hidden = false;
    panel.querySelector("h3").replaceChildren(h("bdi", {}, shown(pair.ids[0])), " and ", h("bdi", {}, shown(pair.ids[1])));
    panel.querySelector(".verdict").replaceChildren(...verdictOf(pair));
    drawParts(panel.querySelector(".waterfall"), pair);
    const body = h("tbody");
    columnNames.forEach((name, i) => {
        const sides = pair.values[i].map(value => value === null ? h("i", {}, "missing") : h("bdi", {}, value));
        markPair(...sides);
        body.append(h("tr", {}, h("th", {scope: "row"}, h("bdi", {}, shown(name))), h("td", {}, sides[0]), h("td", {}, sides[1])));
    });
    panel.querySelector(".values").replaceChildren(h("table", {}, h("thead", {}, h("tr", {}, h("th", {scope: "col"}, "Column"),
        h("th", {scope: "col"}, h("bdi", {}, shown(pair.ids[0]))), h("th", {scope: "col"}, h("bdi", {}, shown(pair.ids[1]))))), body));
}

const orders = [
    ["nearest to the threshold", (a, b) => a.place - b.place],
    [isLearnt ? "probability, highest first" : "similarity, highest first", (a, b) => b.average - a.average || a.place - b.place],
    [isLearnt ? "probability, lowest first" : "similarity, lowest first", (a, b) => a.average - b.average || a.place - b.place],
    ["left record", (a, b) => a.ids[0].localeCompare(b.ids[0], "en", {numeric: true}) || a.place - b.place]
];

const filters = [
    ["all", () => true],
    ["found", pair => pair.kind === "found"],
    ["not found", pair => pair.kind === "near" || pair.kind === "below" || pair.kind === "beaten"],
    ["wrong", pair => pair.kind === "found" && pair.right === "0"],
    ["missed", pair => pair.kind !== "found" && pair.right === "1"],
    ["not compared", pair => pair.kind === "skipped"]
];

function explore() {
    const table = one(".pairs"), panel = one(".detail"), tools = one(".tools"), batch = 25;
    if (!table) /* no pair is listed */
        return;
    const body = table.tBodies[0];
    table.style.setProperty("--columns", columnNames.length);
    const pairs = all("tr", body).map(readPair), home = panel.parentElement, narrow = matchMedia("(max-width: 67.99rem)");
    const search = tools.querySelector("input"), select = tools.querySelector("select"), more = one(".more");
    const inset = h("tr", {class: "detail-row"}, h("td", {colspan: columnNames.length + 2}));
    let listed = pairs, count = batch, chosen = null, filter = filters[0][1];

    // The panel stands beside the list, or where there is no room for that below the pair.
    const place = () => {
        if (narrow.matches && chosen && chosen.row.isConnected && !chosen.row.hidden) {
            chosen.row.after(inset);
            inset.cells[0].append(panel);
        } else {
            home.append(panel);
            inset.remove();
        }
        if (chosen)
            drawParts(panel.querySelector(".waterfall"), chosen);
    };
    const choose = (pair, focus) => {
        chosen?.row.setAttribute("aria-selected", "false");
        if (chosen)
            chosen.row.tabIndex = -1;
        chosen = pair;
        pair.row.setAttribute("aria-selected", "true");
        pair.row.tabIndex = 0;
        showPair(panel, pair);
        place();
        if (focus)
            pair.row.focus();
    };
    const list = () => {
        const visible = listed.slice(0, count);
        visible.forEach(markRow);
        inset.remove();
        body.replaceChildren(...visible.map(pair => pair.row));
        more.hidden = listed.length <= count;
        more.firstElementChild.textContent = `Show ${Math.min(batch, listed.length - count)} more`;
        tools.querySelector(".count").textContent = listed.length === 1 ? "1 pair" : `${grouped(listed.length)} pairs`;
        one(".none").hidden = visible.length > 0;
        if (visible.length && !visible.includes(chosen))
            choose(visible[0]);
        place();
    };
    const update = () => {
        const wanted = search.value.trim().toLowerCase().split(/\s+/).filter(Boolean);
        const order = orders[select.selectedIndex][1];
        listed = pairs.filter(pair => filter(pair) && wanted.every(word => pair.text.includes(word))).sort(order);
        count = batch;
        panel.hidden = listed.length === 0;
        list();
    };

    rules.forEach((rule, i) => orders.push([`${spelled(rule.name)}${rule.way}, least alike first`, (a, b) =>
        rank(a.each[i]) - rank(b.each[i]) || a.place - b.place]));
    orders.forEach(([name]) => select.append(h("option", {}, name)));
    filters.forEach(([name, holds], i) => {
        const those = pairs.filter(holds).length;
        if (those === 0 || (i > 0 && those === pairs.length))
            return;
        const button = h("input", {type: "radio", name: "filter", checked: i === 0 && ""});
        button.addEventListener("change", () => {
            filter = holds;
            update();
        });
        tools.querySelector(".filters").append(h("label", {}, button, h("span", {}, name + " ", h("b", {}, grouped(those)))));
    });
    pairs.forEach(pair => {
        pair.row.tabIndex = -1;
        pair.row.setAttribute("aria-selected", "false");
        pair.row.addEventListener("click", () => choose(pair));
        pair.row.addEventListener("focus", () => chosen !== pair && choose(pair));
    });
    body.addEventListener("keydown", event => {
        const at = listed.indexOf(chosen), last = Math.min(count, listed.length) - 1;
        const to = {ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: last}[event.key];
        if (to === undefined || !event.target.closest("tr[aria-selected]"))
            return;
        event.preventDefault();
        choose(listed[Math.max(0, Math.min(last, to))], true);
    });
    more.addEventListener("click", () => {
        count += batch;
        list();
    });
    tools.addEventListener("submit", event => event.preventDefault());
    search.addEventListener("input", update);
    select.addEventListener("change", update);
    narrow.addEventListener("change", place);
    new ResizeObserver(() => chosen && drawParts(panel.querySelector(".waterfall"), chosen)).observe(panel);
    tools.hidden = false;
    update();
}

// Missing values come last.
const rank = given => given === "none" ? 2 : given === "low" ? -1 : Number(given);

/* ---------------------------------------------------------------------------------------------------------- clusters */

// Within a cluster a value that is the first record's is told apart from one that is not.
function markCluster(box) {
    const records = all("tbody tr", box).map(row => [...row.cells].slice(1)), first = records[0].map(cell => textOf(cell.firstElementChild));
    records.forEach((record, at) => record.forEach((cell, i) => {
        const value = cell.firstElementChild, a = first[i], b = textOf(value);
        if (at > 0 && a === b)
            cell.classList.add("alike");
        if (b !== null)
            value.replaceChildren(...a === null || a === b ? shown(b) : marked(symbolsOf(b), common(symbolsOf(a), symbolsOf(b))[1]));
    }));
}

/* -------------------------------------------------------------------------------------------------------------- page */

// Where there is no room for the columns of a table, each figure has its name beside it.
for (const table of all(".scroll table")) {
    const names = all("thead tr > *", table).map(cell => cell.textContent);
    all("tbody tr", table).forEach(row => [...row.cells].forEach((cell, i) => cell.dataset.label = names[i]));
}

document.documentElement.classList.add("scripted");
for (const choice of all(".themes input"))
    choice.addEventListener("change", () => document.documentElement.style.colorScheme = choice.value);
one(".themes").hidden = false;
explore();
// Values are treated as they are needed, all other text of others at once.
for (const name of all("h1 bdi, h3 bdi, th bdi, summary bdi, .pairs td:nth-child(2) bdi").filter(name => !name.closest(".detail")))
    name.replaceChildren(...shown(name.textContent));
document.title = spelled(document.title);
if (one("table[data-chart=overall]"))
    drawOverall(one("table[data-chart=overall]"));
all("figure.column").forEach(drawColumn);
if (one("table[data-chart=curve]"))
    drawCurves(one("table[data-chart=curve]"));
for (const box of all(".cluster"))
    box.addEventListener("toggle", () => markCluster(box), {once: true});
addEventListener("beforeprint", () => all(".cluster").forEach(box => box.open = true));
