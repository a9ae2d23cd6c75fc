import { Tabs } from '@mantine/core';
import type { ReactNode } from 'react';
import styles from './page-tabs.module.css';

export interface PageTab<Value extends string> {
  value: Value;
  /** Label, for example `User Access (12)`. */
  label: string;
}

interface PageTabsProps<Value extends string> {
  label: string;
  tabs: readonly PageTab<Value>[];
  chosen: Value;
  onChoose: (value: Value) => void;
  children: ReactNode;
}

export function PageTabs<Value extends string>(props: PageTabsProps<Value>) {
  const { label, tabs, chosen, onChoose, children } = props;
  const choose = (value: string | null) => {
    const tab = tabs.find((listed) => listed.value === value);
    if (tab) onChoose(tab.value);
  };
  return (
    <Tabs value={chosen} onChange={choose} classNames={{ list: styles.list, tab: styles.tab }}>
      <Tabs.List aria-label={label}>
        {tabs.map((tab) => (
          <Tabs.Tab key={tab.value} value={tab.value}>
            {tab.label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value={chosen}>{children}</Tabs.Panel>
    </Tabs>
  );
}
