// Starts the page. The names of the hashed files stand in two meta elements, see Trunk.toml.

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
    document.documentElement.lang === "zh-CN"
      ? "页面程序未能加载。请刷新；若仍失败，请更新浏览器。"
      : "The program did not load. Reload the page; if it fails again, update the browser.";
  document.body.prepend(box);
  document.getElementById("skeleton")?.setAttribute("inert", "");
}
