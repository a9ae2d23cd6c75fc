import { Link } from '@tanstack/react-router';
import { PanelLeftClose, PanelLeftOpen } from 'lucide-react';
import { type ReactElement, useId } from 'react';
import { useRemembered } from '#lib/remembered.ts';
import { type Described, Tip } from '../ui/tip.tsx';
import styles from './sidebar.module.css';
import type { BuiltScreen } from './use-screens.ts';

interface SidebarProps {
  screens: readonly BuiltScreen[];
  /** Whether the sidebar shows only icons. Labels are then tooltips. */
  isCollapsed?: boolean;
  /** Called when the user collapses or expands the sidebar. If absent, the sidebar cannot be collapsed. */
  onToggle?: () => void;
}

export function Sidebar({ screens, isCollapsed = false, onToggle }: SidebarProps) {
  const ToggleIcon = isCollapsed ? PanelLeftOpen : PanelLeftClose;
  return (
    <div className={styles.sidebar} data-collapsed={isCollapsed || undefined}>
      <nav className={styles.nav} aria-label="Main">
        {groupScreens(screens).map(({ heading, members }) => (
          <SidebarGroup key={heading ?? ''} heading={heading} members={members} isCollapsed={isCollapsed} />
        ))}
      </nav>
      {onToggle && (
        <div className={styles.foot}>
          <Labeled label="Expand sidebar  [" isShown={isCollapsed}>
            <button type="button" className={styles.item} aria-expanded={!isCollapsed} onClick={onToggle}>
              <ToggleIcon size={16} strokeWidth={1.5} aria-hidden />
              <span className={styles.label}>{isCollapsed ? 'Expand sidebar' : 'Collapse sidebar'}</span>
            </button>
          </Labeled>
        </div>
      )}
    </div>
  );
}

interface ScreenGroup {
  heading: string | undefined;
  members: readonly BuiltScreen[];
}

const groupScreens = (screens: readonly BuiltScreen[]): readonly ScreenGroup[] =>
  [...Map.groupBy(screens, ({ group }) => group)].map(([heading, members]) => ({ heading, members }));

function SidebarGroup({ heading, members, isCollapsed }: ScreenGroup & { isCollapsed: boolean }) {
  const id = useId();
  return (
    <>
      {heading !== undefined && (
        <h2 id={id} className={styles.heading}>
          <span className={styles.label}>{heading}</span>
        </h2>
      )}
      <ul aria-labelledby={heading === undefined ? undefined : id}>
        {members.map(({ path, label, icon: Icon, isExact = false, isApart = false }) => (
          <li key={path} className={isApart ? styles.apart : undefined}>
            <Labeled label={label} isShown={isCollapsed}>
              <Link
                to={path}
                className={styles.item}
                activeOptions={{ exact: isExact, includeSearch: false }}
                activeProps={{ className: styles.current }}
              >
                <Icon size={16} strokeWidth={1.5} aria-hidden />
                <span className={styles.label}>{label}</span>
              </Link>
            </Labeled>
          </li>
        ))}
      </ul>
    </>
  );
}

interface LabeledProps {
  label: string;
  isShown: boolean;
  children: ReactElement<Described>;
}

function Labeled({ label, isShown, children }: LabeledProps) {
  return (
    <Tip label={label} position="right" offset={8} isDisabled={!isShown} opensOnTouch={false}>
      {children}
    </Tip>
  );
}

/** Returns whether the sidebar is collapsed, and a function that toggles the sidebar. */
export function useSidebar(): { isCollapsed: boolean; toggle: () => void } {
  const [width, setWidth] = useRemembered('sidebar', ['wide', 'narrow']);
  return {
    isCollapsed: width === 'narrow',
    toggle: () => setWidth(width === 'narrow' ? 'wide' : 'narrow'),
  };
}
