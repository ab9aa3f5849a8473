"use strict";
(() => {
    const asked = JSON.parse(document.getElementById("questions").textContent);
    const pairs = asked.pairs;
    const key = "akin-label " + asked.key;
    const element = (name) => document.getElementById(name);

    /* The answers so far, in the order of the pairs: "yes", "no" or "unsure". */
    const kept = () => {
        try {
            const list = JSON.parse(localStorage.getItem(key));
            return Array.isArray(list) ? list.slice(0, pairs.length) : [];
        } catch {
            return [];
        }
    };
    const answers = kept();

    const keep = () => {
        try {
            localStorage.setItem(key, JSON.stringify(answers));
        } catch {
            /* The browser keeps nothing for this page: the answers last until it is closed. */
        }
    };

    const cell = (name, text) => {
        const made = document.createElement(name);
        made.textContent = text;
        return made;
    };

    const show = () => {
        const at = answers.length;
        const isDone = at === pairs.length;
        const rows = [];
        if (!isDone)
            asked.columns.forEach((column, i) => {
                const [left, right] = [pairs[at].left[i], pairs[at].right[i]];
                const row = document.createElement("tr");
                const name = cell("th", column);
                name.scope = "row";
                row.append(name, cell("td", left), cell("td", right));
                row.classList.toggle("differs", left !== right);
                rows.push(row);
            });
        element("values").replaceChildren(...rows);
        element("progress").textContent = isDone
            ? `All ${pairs.length} questions have an answer. Export the answers.`
            : `Question ${at + 1} of ${pairs.length}`;
        element("bar").max = Math.max(pairs.length, 1);
        element("bar").value = at;
        for (const name of ["yes", "no", "unsure"])
            element(name).disabled = isDone;
        element("back").disabled = at === 0;
        element("export").disabled = at === 0;
    };

    const answer = (word) => {
        if (answers.length === pairs.length)
            return;
        answers.push(word);
        keep();
        show();
    };

    const back = () => {
        answers.pop();
        keep();
        show();
    };

    const save = () => {
        const lines = answers.map((word, i) => `${pairs[i].ids[0]},${pairs[i].ids[1]},${word}\n`);
        const link = document.createElement("a");
        link.href = URL.createObjectURL(new Blob(["left,right,answer\n", ...lines], { type: "text/csv" }));
        link.download = "answers.csv";
        link.click();
        setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    };

    for (const word of ["yes", "no", "unsure"])
        element(word).addEventListener("click", () => answer(word));
    element("back").addEventListener("click", back);
    element("export").addEventListener("click", save);
    document.addEventListener("keydown", (event) => {
        if (event.ctrlKey || event.metaKey || event.altKey)
            return;
        const actions = { y: () => answer("yes"), n: () => answer("no"), u: () => answer("unsure"), b: back };
        if (Object.hasOwn(actions, event.key))
            actions[event.key]();
    });
    show();
})();
