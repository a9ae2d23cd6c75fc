import { Menu } from '@mantine/core';
import { type Density, type Theme, themes } from '@sluice/contract';
import { type LucideIcon, Monitor, Moon, Rows2, Rows3, Rows4, Sun } from 'lucide-react';
import { usePreferences } from '../../lib/preferences.ts';
import styles from './appearance-choice.module.css';

interface Appearance {
  label: string;
  icon: LucideIcon;
}

const themeAppearance: Record<Theme, Appearance> = {
  light: { label: 'Light', icon: Sun },
  dark: { label: 'Dark', icon: Moon },
  system: { label: 'System', icon: Monitor },
};

const densityAppearance: Record<Density, Appearance> = {
  compact: { label: 'Compact', icon: Rows4 },
  regular: { label: 'Regular', icon: Rows3 },
  comfortable: { label: 'Comfortable', icon: Rows2 },
};

const densityOrder = ['compact', 'regular', 'comfortable'] as const satisfies readonly Density[];

/** Theme and density, of this person wherever they sign in. */
export function AppearanceChoice() {
  const [{ theme, density }, choose] = usePreferences();
  return (
    <>
      <Choice
        title="Theme"
        choices={themes}
        appearance={themeAppearance}
        value={theme}
        onChange={(next) => void choose({ theme: next })}
      />
      <Choice
        title="Rows"
        choices={densityOrder}
        appearance={densityAppearance}
        value={density}
        onChange={(next) => void choose({ density: next })}
      />
    </>
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
