import { useRemembered } from '../../lib/remembered.ts';

/** Whether the sidebar shows icons only, and a function that changes it. */
export function useSidebar(): { isCollapsed: boolean; toggle: () => void } {
  const [width, setWidth] = useRemembered('sidebar', ['wide', 'narrow']);
  return {
    isCollapsed: width === 'narrow',
    toggle: () => setWidth(width === 'narrow' ? 'wide' : 'narrow'),
  };
}
