import { Menu } from '@mantine/core';
import { type LucideIcon, Monitor, Moon, Rows2, Rows3, Rows4, Sun } from 'lucide-react';
import { type Density, type Theme, themes, useDensity, useTheme } from '../../lib/appearance.ts';
import styles from './appearance-choice.module.css';

interface Appearance {
  label: string;
  icon: LucideIcon;
}

const themeAppearance: Record<Theme, Appearance> = {
  light: { label: 'Light', icon: Sun },
  dark: { label: 'Dark', icon: Moon },
  auto: { label: 'System', icon: Monitor },
};

const densityAppearance: Record<Density, Appearance> = {
  compact: { label: 'Compact', icon: Rows4 },
  regular: { label: 'Regular', icon: Rows3 },
  roomy: { label: 'Roomy', icon: Rows2 },
};

const densityOrder = ['compact', 'regular', 'roomy'] as const satisfies readonly Density[];

export function ThemeChoice() {
  const [theme, setTheme] = useTheme();
  return (
    <Choice title="Theme" choices={themes} appearance={themeAppearance} value={theme} onChange={setTheme} />
  );
}

export function DensityChoice() {
  const [density, setDensity] = useDensity();
  return (
    <Choice
      title="Rows"
      choices={densityOrder}
      appearance={densityAppearance}
      value={density}
      onChange={setDensity}
    />
  );
}

interface ChoiceProps<Name extends string> {
  title: string;
  choices: readonly Name[];
  appearance: Record<Name, Appearance>;
  value: Name;
  onChange: (choice: Name) => void;
}

/** One line of a menu, with one of a few pictures chosen. */
function Choice<Name extends string>({ title, choices, appearance, value, onChange }: ChoiceProps<Name>) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is not allowed within a menu
    <div className={styles.choice} role="group" aria-label={title}>
      <span aria-hidden="true">{title}</span>
      <div className={styles.options}>
        {choices.map((choice) => {
          const { label, icon: Icon } = appearance[choice];
          return (
            <Menu.RadioItem
              key={choice}
              value={choice}
              checked={choice === value}
              onChange={() => onChange(choice)}
              classNames={{
                item: styles.option,
                itemIndicator: styles.indicator,
                itemLabel: styles.picture,
              }}
              aria-label={`${title}: ${label}`}
              title={label}
            >
              <Icon size={16} strokeWidth={1.5} aria-hidden />
            </Menu.RadioItem>
          );
        })}
      </div>
    </div>
  );
}
