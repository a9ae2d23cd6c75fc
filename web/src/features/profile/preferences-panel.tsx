import { type Preferences, themes } from '@sluice/contract';
import { TimeZoneField } from '#components/forms/time-zone-field.tsx';
import { Panel } from '#components/ui/panel.tsx';
import { SegmentedSwitch } from '#components/ui/segmented-switch.tsx';
import { showError } from '#components/ui/toasts.tsx';
import { usePreferences } from '#lib/preferences.ts';
import styles from './screen.module.css';

const themeNames = { light: 'Light', dark: 'Dark', system: 'System' } as const;
const densities = [
  { value: 'compact', label: 'Compact' },
  { value: 'regular', label: 'Regular' },
  { value: 'comfortable', label: 'Comfortable' },
] as const;

/** Preferences are stored in the account. */
export function PreferencesPanel() {
  const [{ theme, density, time_zone }, choose] = usePreferences();
  const save = async (change: Partial<Preferences>) => {
    const isSaved = await choose(change);
    if (!isSaved) showError('Not saved on the server. The change applies to this browser only');
  };
  return (
    <Panel label="Appearance and time">
      <h2>Appearance and time</h2>
      <p className="quiet">Changes are saved immediately and apply in all your browsers.</p>
      <div className={styles.choice}>
        <span aria-hidden="true">Theme</span>
        <SegmentedSwitch
          label="Theme"
          options={themes.map((value) => ({ value, label: themeNames[value] }))}
          value={theme}
          onChange={(next) => void save({ theme: next })}
        />
      </div>
      <div className={styles.choice}>
        <span aria-hidden="true">Tables and lists</span>
        <SegmentedSwitch
          label="Tables and lists"
          options={densities}
          value={density}
          onChange={(next) => void save({ density: next })}
        />
      </div>
      <TimeZoneField value={time_zone} allowsBrowser onChange={(zone) => void save({ time_zone: zone })} />
      <p className="quiet">
        Times are shown in this zone. Usage and quotas use the days of your organization.
      </p>
    </Panel>
  );
}
