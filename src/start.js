// Starts the page. The names of the hashed files stand in two meta elements, see Trunk.toml.

const root = document.documentElement;

// The stored choices act before the first paint of the program.
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

const named = (name) =>
  new URL(document.querySelector(`meta[name="${name}"]`).content, document.baseURI);

try {
  const { default: init } = await import(named("page-module"));
  await init({ module_or_path: named("page-wasm") });
} catch (error) {
  console.error(error);
  const box = document.createElement("p");
  box.className = "start-failure";
  box.setAttribute("role", "alert");
  box.textContent =
    root.lang === "zh-CN"
      ? "页面程序未能加载。请刷新；若仍失败，请更新浏览器。"
      : "The program did not load. Reload the page; if it fails again, update the browser.";
  document.body.prepend(box);
}
