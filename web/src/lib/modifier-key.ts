/** The key of the system's own shortcuts, as it is written on the keyboard. */
export const modifierKey = /mac|iphone|ipad/i.test(navigator.platform) ? '⌘' : 'Ctrl';
