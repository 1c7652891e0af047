// SPDX-License-Identifier: MIT

/// The page in the browser: the straps, and the rate of the chosen one.
enum Page {
    static let html = """
        <!doctype html>
        <html lang="en">
        <meta charset="utf-8">
        <title>Heart rates</title>
        <style>
            body { font: 1.2em system-ui; margin: 2em }
            output { font-size: 5em }
        </style>
        <h1>Heart rates</h1>
        <p id="straps"></p>
        <output id="rate"></output>
        <script>
            const rate = document.getElementById("rate");
            let stream, chosen;

            function listen(id) {
                stream?.close();
                chosen = id;
                rate.textContent = "…";
                stream = new EventSource(`straps/${encodeURIComponent(id)}/values`);
                stream.onmessage = (event) => { rate.textContent = JSON.parse(event.data).beatsPerMinute; };
                // The browser asks again by itself, unless the server does not know the strap any more.
                stream.onerror = () => { rate.textContent = "away"; };
            }

            async function list() {
                const straps = await (await fetch("straps")).json();
                document.getElementById("straps").replaceChildren(...straps.map((strap) => {
                    const button = document.createElement("button");
                    button.textContent = strap.name;
                    button.onclick = () => listen(strap.id);
                    return button;
                }));
                if (!chosen && straps.length) listen(straps[0].id);
            }

            list();
            setInterval(list, 5000);
        </script>
        </html>
        """
}
