// Before the first paint: the stored choices, and whether the static example may stand in.

{
  const root = document.documentElement;
  const stored = (key) => {
    try {
      return JSON.parse(localStorage.getItem(`meshwright.${key}`));
    } catch {
      return null;
    }
  };
  const theme = stored("theme");
  if (theme === "light" || theme === "dark") root.dataset.theme = theme;
  const language = stored("language") ?? navigator.language;
  root.lang = /^zh/i.test(language) ? "zh-CN" : "en";
  // A reader with a project of his own, or with a link, would see the wrong one.
  if (stored("own") || location.hash.length > 1) root.dataset.own = "";
}
