import type { AccessPolicy } from '../host/access/access-policy.ts';
import type { HostBase } from '../host/host-base.ts';
import { followRights } from '../host/settings/follow-rights.ts';
import type { SettingsStore } from '../host/settings/settings.ts';
import type { Translate } from '../ui/ports/i18n.ts';
import { deviceSecrets } from './device-storage.ts';
import type { PanelHost } from './panel-host.ts';
import { announceSettings } from './settings-notice.ts';
import { openSharedSettings } from './shared-settings.ts';

interface SettingsParts {
  readonly host: PanelHost;
  readonly base: HostBase;
  readonly policy: AccessPolicy;
  readonly t: Translate;
  readonly signal: AbortSignal;
}

/** The settings, which the start script and the rights follow. */
export async function openPanelSettings({ host, base, policy, t, signal }: SettingsParts): Promise<SettingsStore> {
  const settings = await openSharedSettings({ storage: base.storage, secrets: deviceSecrets, now: base.clock.now, signal });
  announceSettings(settings, t, host.siyuan.showMessage);
  host.onSettings(settings.get());
  settings.subscribe((now) => host.onSettings(now));
  followRights(settings, policy);
  return settings;
}
