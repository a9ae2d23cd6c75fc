import { Menu } from '@mantine/core';
import { type CurrentUser, type Density, type Theme, themes } from '@sluice/contract';
import { Link } from '@tanstack/react-router';
import {
  ArrowRightLeft,
  Building2,
  Keyboard,
  LogOut,
  type LucideIcon,
  Monitor,
  Moon,
  Rows2,
  Rows3,
  Rows4,
  Sun,
} from 'lucide-react';

import { mayAdminister } from '#lib/home-path.ts';
import { usePreferences } from '#lib/preferences.ts';
import { useLogout } from '#lib/session.ts';
import type { Opening } from '../ui/lazy-opener.tsx';
import styles from './account-menu.module.css';
import appearanceChoiceStyles from './appearance-choice.module.css';
import type { Screens } from './use-screens.ts';

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

/** The choice applies on every device of the user. */
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

/** Menu row with a group of icon options. */
function Choice<Name extends string>({ title, choices, appearance, value, onChange }: ChoiceProps<Name>) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is not allowed within a menu
    <div className={appearanceChoiceStyles.choice} role="group" aria-label={title}>
      <span aria-hidden="true">{title}</span>
      <div className={appearanceChoiceStyles.options}>
        {choices.map((choice) => {
          const { label, icon: Icon } = appearance[choice];
          return (
            <Menu.RadioItem
              key={choice}
              value={choice}
              checked={choice === value}
              onChange={() => onChange(choice)}
              classNames={{
                item: appearanceChoiceStyles.option,
                itemIndicator: appearanceChoiceStyles.indicator,
                itemLabel: appearanceChoiceStyles.picture,
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

const roleNames = { super_admin: 'Super administrator', admin: 'Administrator', user: 'User' } as const;

export interface AccountMenuProps {
  user: CurrentUser;
  screens: Screens;
  onOpenShortcuts: () => void;
  onActForTenant: () => void;
}

interface AccountMenuListProps extends AccountMenuProps {
  opening: Opening;
}

export function AccountMenuList({
  user,
  screens,
  onOpenShortcuts,
  onActForTenant,
  opening,
}: AccountMenuListProps) {
  return (
    <Menu
      position="bottom-end"
      width={264}
      offset={6}
      withInitialFocusPlaceholder={false}
      {...opening.floatingProps}
    >
      <Menu.Target>{opening.anchor}</Menu.Target>
      <Menu.Dropdown className={styles.dropdown}>
        <div className={styles.person} role="presentation">
          <span className={styles.name}>{user.name}</span>
          <span>{user.email}</span>
          <span>
            {roleNames[user.role.name]} · {user.tenant.name}
          </span>
        </div>
        <Menu.Divider />
        <Destinations user={user} screens={screens} onActForTenant={onActForTenant} />
        <Menu.Divider />
        <AppearanceChoice />
        <Menu.Divider />
        <Actions onOpenShortcuts={onOpenShortcuts} />
      </Menu.Dropdown>
    </Menu>
  );
}

function Destinations({ user, screens, onActForTenant }: Omit<AccountMenuProps, 'onOpenShortcuts'>) {
  const isInAdmin = screens.area === 'admin';
  return (
    <>
      {screens.menu.map(({ path, label, icon: Icon }) => (
        <Menu.Item key={path} component={Link} to={path} leftSection={<Icon {...iconProps} />}>
          {label}
        </Menu.Item>
      ))}
      {user.role.permissions.includes('super_admin') && (
        <Menu.Item leftSection={<Building2 {...iconProps} />} onClick={onActForTenant}>
          Act for another tenant
        </Menu.Item>
      )}
      {mayAdminister(user) && (
        <Menu.Item
          component={Link}
          to={isInAdmin ? '/dashboard' : '/admin'}
          leftSection={<ArrowRightLeft {...iconProps} />}
        >
          {isInAdmin ? 'Open the portal' : 'Open the admin console'}
        </Menu.Item>
      )}
    </>
  );
}

function Actions({ onOpenShortcuts }: Pick<AccountMenuProps, 'onOpenShortcuts'>) {
  const logout = useLogout();
  return (
    <>
      <Menu.Item
        leftSection={<Keyboard {...iconProps} />}
        rightSection={<kbd>?</kbd>}
        onClick={onOpenShortcuts}
      >
        Keyboard shortcuts
      </Menu.Item>
      <Menu.Item leftSection={<LogOut {...iconProps} />} onClick={logout}>
        Logout
      </Menu.Item>
    </>
  );
}

const iconProps = { size: 16, strokeWidth: 1.5, 'aria-hidden': true } as const;
