import { Select } from '@mantine/core';
import type { ReactNode } from 'react';
import { useNow } from '../../lib/use-now.ts';
import styles from './form.module.css';
import { describeClock, describeOffset, listTimeZones } from './time-zones.ts';

const shownMax = 40;

interface TimeZoneFieldProps {
  value: string;
  error: ReactNode;
  onChange: (timeZone: string) => void;
}

/** One of all time zones, found by a part of its name. */
export function TimeZoneField({ value, error, onChange }: TimeZoneFieldProps) {
  const now = new Date(useNow());
  return (
    <Select
      label="Time zone"
      description={`It is ${describeClock(value, now)} in this zone now.`}
      searchable
      allowDeselect={false}
      limit={shownMax}
      withScrollArea={false}
      classNames={{ options: styles.zones }}
      data={listTimeZones(value)}
      value={value}
      error={error}
      nothingFoundMessage="There is no such time zone"
      onChange={(zone) => zone !== null && onChange(zone)}
      filter={({ options, search }) => {
        const typed = search.trim().toLowerCase().replaceAll(' ', '_');
        return options.filter((option) => 'value' in option && option.value.toLowerCase().includes(typed));
      }}
      renderOption={({ option }) => (
        <span className={styles.zone}>
          <span>{option.value.replaceAll('_', ' ')}</span>
          <span className={`num ${styles.offset}`}>{describeOffset(option.value, now)}</span>
        </span>
      )}
    />
  );
}
