"use strict";
(() => {
  const place = document.getElementById("charts");
  const text = document.getElementById("spec").textContent;
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  let drawnAt = 0;
  let drawing = Promise.resolve();

  const draw = async () => {
    const width = place.clientWidth;
    if (width === 0) return;
    drawnAt = width;
    const style = getComputedStyle(document.documentElement);
    const colour = (name) => style.getPropertyValue(name).trim();
    const left = width < 600 ? 84 : 180;
    const spec = JSON.parse(text);
    for (const view of spec.vconcat) view.width = Math.max(width - left - 20, 120);
    spec.padding = 4;
    spec.background = null;
    spec.config = {
      font: "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif",
      view: { stroke: colour("--line") },
      title: { anchor: "start", frame: "group", color: colour("--text"), fontSize: 14, fontWeight: 600, offset: 8, limit: width - left },
      axis: {
        domainColor: colour("--line"), tickColor: colour("--line"), gridColor: colour("--line"),
        labelColor: colour("--soft"), titleColor: colour("--soft"), labelFontSize: 12, titleFontSize: 12,
        titleFontWeight: "normal",
      },
      axisY: { labelLimit: left - 28, minExtent: left - 20, maxExtent: left - 20 },
      legend: { labelColor: colour("--text"), labelFontSize: 12, columns: width < 600 ? 2 : 4, labelLimit: 200 },
      rule: { color: "#3f7fc1" },
    };
    const result = await vegaEmbed(place, spec, { actions: false, renderer: "svg", ast: true, tooltip: { theme: dark.matches ? "dark" : "light" } });
    place.dataset.drawn = String(result.view.scenegraph().root !== undefined);
  };
  const redraw = () => {
    drawing = drawing.then(draw).catch((error) => { place.textContent = `The charts cannot be drawn: ${error.message}`; place.dataset.drawn = "false"; });
  };

  dark.addEventListener("change", redraw);
  window.addEventListener("resize", () => { if (Math.abs(place.clientWidth - drawnAt) > 1) redraw(); });
  redraw();
})();
