// The page of the panel's browser tests and pictures: `?scene=…&lang=zh_CN&theme=dark`. Not part of the plugin.
import './page.css';
import english from '../../../i18n/en_US.json';
import chinese from '../../../i18n/zh_CN.json';
import * as pages from '../../app/pages.ts';
import type { ApprovalRequest } from '../../tools/contract/types.ts';
import { loadMessages } from '../answer/lazy-messages.ts';
import { pagesFrom } from '../panel/lazy-pages.ts';
import { type MountedPanel, mountPanel } from '../panel/mount.ts';
import { createTranslate } from '../ports/i18n.ts';
import { Features } from '../state/features.ts';
import { FakeActivity } from './fake-activity.ts';
import { FakeController } from './fake-controller.ts';
import { fakeFeatures } from './fake-features.ts';
import { FakeHost, FakeSettings } from './fake-host.ts';
import { approval, sceneOf } from './scenes.ts';
import { standInIcons } from './stand-in-icons.ts';

export interface PanelPage {
  readonly controller: FakeController;
  readonly host: FakeHost;
  readonly settings: FakeSettings;
  readonly activity: FakeActivity | undefined;
  panel: MountedPanel;
  /** As on a phone that shows a note in between. */
  drawAgain(): void;
  readonly approval: ApprovalRequest;
  readonly features: Features;
  readonly english: Readonly<Record<string, string>>;
}

declare global {
  interface Window {
    page: PanelPage;
  }
}

const query = new URLSearchParams(location.search);
document.documentElement.dataset.themeMode = query.get('theme') ?? 'light';
document.body.insertAdjacentHTML('afterbegin', `<svg style="display:none">${standInIcons}</svg>`);
const target = document.createElement('div');
target.className = 'dock';
document.body.append(target);

const controller = new FakeController();
const host = new FakeHost();
const settings = new FakeSettings();
const scene = query.get('scene') ?? 'empty';
const activity = scene === 'activity' || scene === 'drawn' ? new FakeActivity() : undefined;
sceneOf(scene)(controller, host, settings);
const i18n = createTranslate(query.get('lang') === 'zh_CN' ? chinese : english);
pagesFrom(async () => pages);
const features = new Features(fakeFeatures(settings, host, controller), async () => pages.VIEWS);
const draw = (): MountedPanel => mountPanel(target, { controller, host, settings, i18n, activity, features });
// As in a panel that has drawn a message before.
void loadMessages().then(() => {
  window.page = {
    features,
    controller,
    host,
    settings,
    activity,
    english,
    approval: approval('a1'),
    panel: draw(),
    drawAgain() {
      this.panel.destroy();
      this.panel = draw();
    },
  };
});
