import { Select } from '@mantine/core';
import { foldText } from '@sluice/contract';
import type { ReactNode } from 'react';
import { browserTimeZone, describeClock, describeOffset, listTimeZones } from '#lib/time-zone.ts';
import { useNow } from '#lib/use-now.ts';
import styles from './time-zone-field.module.css';

const shownMax = 40;
const browserChoice = 'browser';

interface TimeZoneFieldProps {
  /** `null` means the browser's time zone. */
  value: string | null;
  /** Whether the user can select the browser's time zone. */
  allowsBrowser?: boolean;
  error?: ReactNode;
  onChange: (timeZone: string | null) => void;
}

/** Time zones are found by any part of their name. */
export function TimeZoneField({ value, allowsBrowser = false, error, onChange }: TimeZoneFieldProps) {
  const now = new Date(useNow());
  const zone = value ?? browserTimeZone();
  const browser = { value: browserChoice, label: `Same as this browser (${browserTimeZone()})` };
  return (
    <Select
      label="Time zone"
      description={`It is ${describeClock(zone, now)} in this zone now.`}
      searchable
      allowDeselect={false}
      limit={shownMax}
      withScrollArea={false}
      classNames={{ options: styles.zones }}
      data={[...(allowsBrowser ? [browser] : []), ...listTimeZones(zone)]}
      value={value ?? browserChoice}
      error={error}
      nothingFoundMessage="Unknown time zone"
      onChange={(chosen) => chosen !== null && onChange(chosen === browserChoice ? null : chosen)}
      filter={({ options, search }) => {
        const typed = foldText(search.trim()).replaceAll(' ', '_');
        return options.filter((option) => 'value' in option && option.value.toLowerCase().includes(typed));
      }}
      renderOption={({ option }) => (
        <span className={styles.zone}>
          <span>{option.label.replaceAll('_', ' ')}</span>
          <span className={`num ${styles.offset}`}>
            {describeOffset(option.value === browserChoice ? browserTimeZone() : option.value, now)}
          </span>
        </span>
      )}
    />
  );
}
