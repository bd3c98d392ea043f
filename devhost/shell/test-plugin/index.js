/* A plugin as SiYuan loads it: CommonJS, one class. `window.shellSample` is the log that shell.test.ts reads. */
const siyuan = require('siyuan');
window.shellSample ??= [];
const log = window.shellSample;

module.exports = class ShellSample extends siyuan.Plugin {
  onload() {
    const has = (name) => window.siyuan[name] !== undefined;
    log.push({ event: 'onload', menus: has('menus'), languages: has('languages'), storage: has('storage'), config: has('config') });
    this.addIcons('<symbol id="iconShellSample" viewBox="0 0 24 24"><circle cx="12" cy="12" r="8"></circle></symbol>');
    this.addDock({
      type: '-dock',
      config: { position: 'RightTop', size: { width: 0, height: 0 }, icon: 'iconShellSample', title: this.i18n.dockTitle, hotkey: '⌥⌘9' },
      data: { answer: 42 },
      init() {
        log.push({ event: 'dock-init', data: this.data });
        this.element.innerHTML = `<div class="block__icons"><div class="block__logo">Sample</div><span class="fn__flex-1"></span>
<span class="block__icon" data-type="min" aria-label="Minimize"><svg><use href="#iconMin"></use></svg></span></div>
<div class="shell-sample b3-typography"><p>The panel of a plugin.</p>
<p><input class="b3-text-field fn__block" placeholder="Type here" aria-label="Sample field"></p>
<p><button class="b3-button">Primary</button> <button class="b3-button b3-button--outline">Outline</button> <button class="b3-button b3-button--text">Text</button></p>
<p><label>Switch <input class="b3-switch" type="checkbox" checked></label> <span class="b3-chip">chip</span> <select class="b3-select"><option>Choice</option></select></p></div>`;
      },
      resize: () => log.push({ event: 'dock-resize' }),
      destroy: () => log.push({ event: 'dock-destroy' }),
    });
    this.addTab({
      type: '-tab',
      init() {
        this.element.innerHTML = `<div class="shell-sample">tab ${this.data.name}</div>`;
      },
      destroy: () => log.push({ event: 'tab-destroy' }),
    });
    this.addTopBar({ icon: 'iconShellSample', title: 'Sample button', callback: () => siyuan.showMessage('top bar') });
    this.addCommand({ langKey: 'hello', hotkey: '⇧⌘9', callback: () => log.push({ event: 'command' }) });
    this.protyleSlash = [
      {
        filter: ['sample', 'shili'],
        html: '<span class="b3-list-item__text">Sample insert</span>',
        id: 'sample',
        callback: (protyle, node) => {
          log.push({ event: 'slash', range: getSelection().getRangeAt(0).toString(), node: node.dataset.nodeId });
          protyle.insert('<strong>sampled</strong>');
        },
      },
    ];
    this.setting = new siyuan.Setting({ width: '560px', height: '320px', confirmCallback: () => log.push({ event: 'saved' }) });
    this.setting.addItem({
      title: 'Name',
      description: 'A field',
      createActionElement: () => Object.assign(document.createElement('input'), { className: 'b3-text-field fn__size200' }),
    });
    this.onMenu = ({ detail }) =>
      detail.menu.addItem({ icon: 'iconShellSample', label: 'Sample entry', click: () => log.push({ event: 'menu-click' }) });
    for (const name of ['click-blockicon', 'click-editortitleicon', 'open-menu-doctree', 'open-menu-content'])
      this.eventBus.on(name, this.onMenu);
    this.onEvent = (event) => log.push({ event: event.type, cmd: event.detail?.cmd });
    for (const name of ['ws-main', 'loaded-protyle-static', 'switch-protyle', 'destroy-protyle']) this.eventBus.on(name, this.onEvent);
  }

  onLayoutReady() {
    log.push({ event: 'onLayoutReady', menus: window.siyuan.menus !== undefined, plugin: this.name });
    window.shellSamplePlugin = this;
    window.shellSampleApi = siyuan;
  }

  onunload() {
    log.push({ event: 'onunload' });
  }

  uninstall() {
    log.push({ event: 'uninstall' });
  }
};
