import { useState } from 'react';
import { formatWithUnit, type Item, tabulateItems, tabulateSeries } from '#components/charts/chart-data.ts';
import { ChartPanel } from '#components/charts/chart-panel.tsx';
import { CategoryBars, ShareChart, TimeChart } from '#components/charts/lazy-charts.tsx';
import { SegmentedSwitch } from '#components/ui/segmented-switch.tsx';
import { cycleColorOf, entityColorOf, intentColorOf, providerColorOf } from '#lib/chart-colors.ts';
import { formatLabel } from '#lib/format-label.ts';
import { formatUsd, formatUsdExact } from '#lib/format-money.ts';
import { formatCount, formatTokenTick } from '#lib/format-number.ts';
import { PartGroup } from './part.tsx';
import styles from './parts.module.css';

const days = Array.from({ length: 30 }, (_, index) =>
  new Date(Date.UTC(2026, 9, 22 + index)).toISOString().slice(0, 10),
);
const wave = (index: number, scale: number) =>
  Math.round(scale * (index % 7 < 5 ? 3 + Math.sin(index / 3) + index / 20 : 1));
const tokens = [
  {
    label: 'Tokens',
    color: cycleColorOf(0),
    values: days.map((_, index) => ([11, 12, 14].includes(index) ? null : wave(index, 1_412_515))),
  },
];
const spend = ['openai', 'anthropic', 'google', 'deepseek'].map((key, place) => ({
  label: { openai: 'OpenAI', anthropic: 'Anthropic', google: 'Google', deepseek: 'DeepSeek' }[key] ?? key,
  color: providerColorOf(key),
  values: days.map((_, index) => wave(index + place, 9000 - place * 2000) / 1000),
}));
const intents: Item[] = Object.entries({
  coding: 8009,
  testing: 3458,
  documentation: 2730,
  research: 2912,
  off_topic: 1092,
}).map(([intent, value]) => ({ label: formatLabel(intent), value, color: intentColorOf(intent) }));
const models: Item[] = (
  [
    ['claude-sonnet-4-5-20250929', 6410, 'anthropic'],
    ['gpt-5', 4938, 'openai'],
    ['gemini-2.5-pro', 3102, 'google'],
    ['gpt-5-mini', 2177, 'openai'],
    ['deepseek-chat', 1577, 'deepseek'],
    ['mistral-small-latest', 903, 'mistral'],
  ] as const
).map(([label, value, provider]) => ({
  label,
  value,
  color: providerColorOf(provider),
  details: [
    ['Requests', formatCount(value)],
    ['Tokens', formatTokenTick(value * 940)],
    ['Users', '12'],
    ['Share', '33.5%'],
  ],
}));
const keys: Item[] = [
  { label: 'Payments platform and ledger', value: 5_200_400, color: entityColorOf('team') },
  { label: 'Aiko Tanaka', value: 2_300_000, color: entityColorOf('user') },
  { label: 'Nightly evaluation', value: 940_000, color: entityColorOf('service') },
];

const timeKinds = [
  { value: 'line', label: 'Line' },
  { value: 'bar', label: 'Bar' },
] as const;
const spendKinds = [...timeKinds, { value: 'stacked', label: 'Stacked' }] as const;
const shareKinds = [
  { value: 'pie', label: 'Pie' },
  { value: 'donut', label: 'Donut' },
  { value: 'bar', label: 'Bar' },
] as const;
const formatDollars = (amount: number) => formatUsdExact(amount, 4);
const none = { columns: [], rows: [] };

export function ChartParts() {
  return (
    <PartGroup title="Charts">
      <div className={styles.grid}>
        <TokensPanel />
        <IntentsPanel />
        <ModelsPanel />
        <SpendPanel />
        <KeysPanel />
        <ChartPanel heading="Loading" table={none} emptyText="" isLoading>
          {null}
        </ChartPanel>
        <ChartPanel heading="Empty" table={none} emptyText="No data available for the selected period">
          {null}
        </ChartPanel>
      </div>
    </PartGroup>
  );
}

function TokensPanel() {
  const [kind, setKind] = useState<(typeof timeKinds)[number]['value']>('line');
  const label = 'Token Usage Over Time';
  return (
    <ChartPanel
      heading={label}
      unit="tokens"
      switches={<SegmentedSwitch label="Chart type" options={timeKinds} value={kind} onChange={setKind} />}
      table={tabulateSeries(days, tokens)}
      emptyText="No data available for the selected period"
    >
      <TimeChart
        label={label}
        kind={kind}
        days={days}
        series={tokens}
        formatValue={formatWithUnit('tokens')}
        formatTick={formatTokenTick}
      />
    </ChartPanel>
  );
}

function IntentsPanel() {
  const [kind, setKind] = useState<(typeof shareKinds)[number]['value']>('donut');
  const label = 'Intent Classification Distribution';
  return (
    <ChartPanel
      heading={label}
      switches={<SegmentedSwitch label="Chart type" options={shareKinds} value={kind} onChange={setKind} />}
      table={tabulateItems(intents, { label: 'Intent', value: 'Requests' })}
      emptyText="No intent data available"
    >
      <ShareChart label={label} kind={kind} items={intents} unit="requests" labelLimit={20} />
    </ChartPanel>
  );
}

function ModelsPanel() {
  const label = 'Top Models Used';
  return (
    <ChartPanel
      heading={label}
      table={tabulateItems(models, { label: 'Model', value: 'Requests' })}
      emptyText="No model usage data available"
    >
      <CategoryBars label={label} items={models} />
    </ChartPanel>
  );
}

function SpendPanel() {
  const [kind, setKind] = useState<(typeof spendKinds)[number]['value']>('stacked');
  const label = 'Spend by Provider';
  return (
    <ChartPanel
      heading={label}
      unit="$1,482.6310 in 30 days"
      switches={<SegmentedSwitch label="Chart type" options={spendKinds} value={kind} onChange={setKind} />}
      table={tabulateSeries(days, spend, formatDollars)}
      emptyText="No spend data available"
    >
      <TimeChart
        label={label}
        kind={kind}
        days={days}
        series={spend}
        formatValue={formatDollars}
        formatTick={formatUsd}
      />
    </ChartPanel>
  );
}

function KeysPanel() {
  const label = 'Top API Keys Usage';
  return (
    <ChartPanel
      heading={label}
      table={tabulateItems(keys, { label: 'Key', value: 'Tokens' })}
      emptyText="No API key usage data available"
    >
      <CategoryBars
        label={label}
        items={keys}
        direction="vertical"
        suffixOf={({ color }) => (color === entityColorOf('team') ? ' (team)' : ' (user)')}
        formatValue={formatTokenTick}
      />
    </ChartPanel>
  );
}
