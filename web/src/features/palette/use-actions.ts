import { densities, themes } from '@sluice/contract';
import { Clipboard, Keyboard, LogOut, Monitor, Moon, PanelLeft, Rows3, Sun } from 'lucide-react';
import { useSidebar } from '../../components/layout/use-sidebar.ts';
import { showMessage } from '../../components/ui/toasts.tsx';
import { copyText } from '../../lib/copy-text.ts';
import { usePreferences } from '../../lib/preferences.ts';
import { useLogout } from '../../lib/session.ts';
import type { Action } from './commands.ts';

const themeIcons = { light: Sun, dark: Moon, system: Monitor };
const themeLabels = {
  light: 'Use the light theme',
  dark: 'Use the dark theme',
  system: 'Use the theme of the system',
};

const action = (id: string, fields: Omit<Action, 'id' | 'group'>): Action => ({ id, group: 'Do', ...fields });

/** Commands of the palette other than navigation. */
export function useActions(onOpenShortcuts: () => void): Action[] {
  const [{ theme, density }, choose] = usePreferences();
  const sidebar = useSidebar();
  const logout = useLogout();

  return [
    action('base-url', {
      label: 'Copy the base URL',
      words: 'api endpoint openai',
      icon: Clipboard,
      run: copyBaseUrl,
    }),
    ...themes
      .filter((choice) => choice !== theme)
      .map((choice) =>
        action(`theme-${choice}`, {
          label: themeLabels[choice],
          words: 'appearance mode toggle',
          icon: themeIcons[choice],
          run: () => void choose({ theme: choice }),
        }),
      ),
    ...densities
      .filter((choice) => choice !== density)
      .map((choice) =>
        action(`density-${choice}`, {
          label: `Use ${choice} rows`,
          words: 'density appearance height',
          icon: Rows3,
          run: () => void choose({ density: choice }),
        }),
      ),
    action('sidebar', {
      label: sidebar.isCollapsed ? 'Expand the sidebar' : 'Collapse the sidebar',
      keys: '[',
      icon: PanelLeft,
      run: sidebar.toggle,
    }),
    action('shortcuts', {
      label: 'Show keyboard shortcuts',
      words: 'help keys',
      keys: '?',
      icon: Keyboard,
      run: onOpenShortcuts,
    }),
    action('logout', { label: 'Log out', words: 'sign out end session', icon: LogOut, run: logout }),
  ];
}

async function copyBaseUrl() {
  const baseUrl = `${window.location.origin}/api/v1`;
  const isCopied = await copyText(baseUrl);
  showMessage(isCopied ? `Copied ${baseUrl}` : `Copy by hand: ${baseUrl}`);
}
