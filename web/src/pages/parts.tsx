import { useMantineColorScheme } from '@mantine/core';
import { PageHeader } from '../components/ui/page-header.tsx';
import { SegmentedSwitch } from '../components/ui/segmented-switch.tsx';
import { ChartParts } from './parts/chart-parts.tsx';
import { DialogParts, SecretParts } from './parts/dialog-parts.tsx';
import { FormParts, PickerParts } from './parts/form-parts.tsx';
import styles from './parts/parts.module.css';
import { SelectParts } from './parts/select-parts.tsx';
import { FigureParts, StatusParts, ToastParts } from './parts/status-parts.tsx';
import { TokenParts } from './parts/token-parts.tsx';

const schemes = [
  { value: 'auto', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const;

const groups = {
  tokens: TokenParts,
  states: StatusParts,
  figures: FigureParts,
  dialogs: DialogParts,
  toasts: ToastParts,
  secrets: SecretParts,
  forms: FormParts,
  pickers: PickerParts,
  selects: SelectParts,
  charts: ChartParts,
};

/** Component gallery for development. Not part of the production build. `?only=charts` shows a single group. */
export function PartsPage() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const only = new URLSearchParams(window.location.search).get('only');
  return (
    <main className={styles.page}>
      <PageHeader
        title="Parts"
        subtitle="Components used on every screen"
        actions={
          <SegmentedSwitch
            label="Color scheme"
            options={schemes}
            value={colorScheme}
            onChange={setColorScheme}
          />
        }
      />
      {Object.entries(groups)
        .filter(([name]) => only === null || name === only)
        .map(([name, Group]) => (
          <Group key={name} />
        ))}
    </main>
  );
}
