/**
 * The icon sprite, drawn for this project on a 24×24 grid. Every entry is the body of one symbol;
 * lines take the colour of the text, `f:` marks filled shapes.
 */
const lines: Record<string, string> = {
  iconFile: '<path d="M6 3h8l4 4v14H6z"/><path d="M14 3v4h4"/>',
  iconFiles: '<path d="M8 7h7l4 4v10H8z"/><path d="M15 7v4h4"/><path d="M5 17V3h8"/>',
  iconFilesRoot: '<rect x="4" y="4" width="16" height="16" rx="2"/><path d="M4 10h16M10 14h4"/>',
  iconFolder: '<path d="M3 6h6l2 2h10v11H3z"/>',
  iconRefresh: '<path d="M19 8a8 8 0 1 0 1 6"/><path d="M20 4v5h-5"/>',
  iconClose: '<path d="M6 6l12 12M18 6L6 18"/>',
  iconCloseRound: '<circle cx="12" cy="12" r="9"/><path d="M9 9l6 6M15 9l-6 6"/>',
  iconAdd: '<path d="M12 5v14M5 12h14"/>',
  iconMin: '<path d="M5 12h14"/>',
  iconSettings: '<path d="M4 7h10M18 7h2M4 17h2M10 17h10"/><circle cx="16" cy="7" r="2"/><circle cx="8" cy="17" r="2"/>',
  iconCopy: '<rect x="8" y="8" width="12" height="12" rx="2"/><path d="M16 8V4H4v12h4"/>',
  iconUndo: '<path d="M8 5L4 9l4 4"/><path d="M4 9h10a6 6 0 0 1 0 12h-3"/>',
  iconRedo: '<path d="M16 5l4 4-4 4"/><path d="M20 9H10a6 6 0 0 0 0 12h3"/>',
  iconTrashcan: '<path d="M4 7h16M9 7V4h6v3M6 7l1 14h10l1-14M10 11v6M14 11v6"/>',
  iconEdit: '<path d="M4 20l1-5L16 4l4 4L9 19z"/><path d="M14 6l4 4"/>',
  iconSearch: '<circle cx="11" cy="11" r="7"/><path d="M16 16l5 5"/>',
  iconSparkles: '<path d="M10 4l2 6 6 2-6 2-2 6-2-6-6-2 6-2z"/><path d="M19 3v4M17 5h4"/>',
  iconList: '<path d="M9 6h11M9 12h11M9 18h11M4.5 6h.01M4.5 12h.01M4.5 18h.01"/>',
  iconOrderedList: '<path d="M10 6h10M10 12h10M10 18h10M4 4h1v4M4 16h2l-2 3h2"/>',
  iconUp: '<path d="M5 15l7-7 7 7"/>',
  iconDown: '<path d="M5 9l7 7 7-7"/>',
  iconLeft: '<path d="M15 5l-7 7 7 7"/>',
  iconRight: '<path d="M9 5l7 7-7 7"/>',
  iconBack: '<path d="M20 12H5M11 6l-6 6 6 6"/>',
  iconForward: '<path d="M4 12h15M13 6l6 6-6 6"/>',
  iconSelect: '<path d="M4 12l6 6L20 6"/>',
  iconCheck: '<rect x="4" y="4" width="16" height="16" rx="2"/><path d="M8 12l3 3 5-6"/>',
  iconUncheck: '<rect x="4" y="4" width="16" height="16" rx="2"/>',
  iconPlugin: '<path d="M10 4a2 2 0 0 1 4 0v2h4v4h-2a2 2 0 0 0 0 4h2v6H6v-5H4a2 2 0 0 1 0-4h2V6h4z"/>',
  iconParagraph: '<path d="M18 4H10a4 4 0 0 0 0 8h2M12 4v16M16 4v16"/>',
  iconQuote: '<path d="M5 18V12a5 5 0 0 1 5-5M14 18V12a5 5 0 0 1 5-5M5 13h5v5H5zM14 13h5v5h-5z"/>',
  iconCode: '<path d="M8 6l-6 6 6 6M16 6l6 6-6 6"/>',
  iconLine: '<path d="M3 12h18"/>',
  iconTable: '<rect x="3" y="4" width="18" height="16" rx="1"/><path d="M3 10h18M3 15h18M10 4v16"/>',
  iconMath: '<path d="M18 5H6l7 7-7 7h12"/>',
  iconSuper:
    '<rect x="4" y="4" width="16" height="7" rx="1"/><rect x="4" y="14" width="7" height="6" rx="1"/><rect x="14" y="14" width="6" height="6" rx="1"/>',
  iconLink: '<path d="M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1"/>',
  iconRef: '<path d="M9 4a14 14 0 0 0 0 16M15 4a14 14 0 0 1 0 16"/>',
  iconTags: '<path d="M4 4h8l9 9-8 8-9-9z"/><circle cx="8" cy="8" r="1"/>',
  iconBookmark: '<path d="M6 3h12v18l-6-5-6 5z"/>',
  iconInfo: '<circle cx="12" cy="12" r="9"/><path d="M12 11v6M12 7.5v.01"/>',
  iconHelp: '<circle cx="12" cy="12" r="9"/><path d="M9.5 9.5a2.5 2.5 0 1 1 3.5 2.3c-.7.3-1 .9-1 1.7M12 17v.01"/>',
  iconLock: '<rect x="5" y="11" width="14" height="9" rx="2"/><path d="M8 11V8a4 4 0 0 1 8 0v3"/>',
  iconUnlock: '<rect x="5" y="11" width="14" height="9" rx="2"/><path d="M8 11V8a4 4 0 0 1 7-2.5"/>',
  iconEye: '<path d="M2 12c4-7 16-7 20 0-4 7-16 7-20 0z"/><circle cx="12" cy="12" r="3"/>',
  iconTheme: '<path d="M12 3v2M4.2 7.5l1.7 1M12 8a4 4 0 1 0 4 4M3 13h2M5 19l1.5-1.5"/><path d="M20 9a4.5 4.5 0 0 1-5-5"/>',
  iconTerminal: '<rect x="3" y="4" width="18" height="16" rx="2"/><path d="M7 9l3 3-3 3M13 15h4"/>',
  iconDownload: '<path d="M12 4v11M7 11l5 5 5-5M4 20h16"/>',
  iconUpload: '<path d="M12 16V5M7 9l5-5 5 5M4 20h16"/>',
  iconPause: '<path d="M8 5v14M16 5v14"/>',
  iconHistory: '<path d="M4 12a8 8 0 1 0 3-6.2"/><path d="M4 4v4h4M12 8v4l3 2"/>',
  iconCalendar: '<rect x="4" y="5" width="16" height="16" rx="2"/><path d="M4 10h16M8 3v4M16 3v4"/>',
  iconImage: '<rect x="3" y="4" width="18" height="16" rx="2"/><circle cx="9" cy="10" r="2"/><path d="M3 18l6-5 4 3 3-2 5 4"/>',
  iconDatabase: '<ellipse cx="12" cy="6" rx="8" ry="3"/><path d="M4 6v12c0 4 16 4 16 0V6M4 12c0 4 16 4 16 0"/>',
  iconFilter: '<path d="M4 5h16l-6 8v6l-4-2v-4z"/>',
  iconMove: '<path d="M12 3v18M3 12h18M9 6l3-3 3 3M9 18l3 3 3-3M6 9l-3 3 3 3M18 9l3 3-3 3"/>',
  iconPin: '<path d="M9 3h6l-1 7 4 4H6l4-4zM12 14v7"/>',
  iconLanguage: '<circle cx="12" cy="12" r="9"/><path d="M3 12h18M12 3c5 5 5 13 0 18M12 3c-5 5-5 13 0 18"/>',
  iconSend: '<path d="M4 12l16-8-6 16-3-7z"/>',
  iconExpand: '<path d="M14 4h6v6M10 20H4v-6M20 4l-7 7M4 20l7-7"/>',
  iconContract: '<path d="M20 10h-6V4M4 14h6v6M14 10l6-6M10 14l-6 6"/>',
  iconWorkspace: '<rect x="3" y="4" width="18" height="16" rx="2"/><path d="M9 4v16"/>',
  iconM: '<path d="M5 19V6l7 8 7-8v13"/>',
  iconN: '<path d="M6 19V5l12 14V5"/>',
  iconA: '<path d="M5 19l7-14 7 14M8 14h8"/>',
};

const filled: Record<string, string> = {
  iconMore: '<circle cx="12" cy="5" r="1.8"/><circle cx="12" cy="12" r="1.8"/><circle cx="12" cy="19" r="1.8"/>',
  iconDot: '<circle cx="12" cy="12" r="5"/>',
  iconDrag:
    '<circle cx="9" cy="6" r="1.6"/><circle cx="15" cy="6" r="1.6"/><circle cx="9" cy="12" r="1.6"/><circle cx="15" cy="12" r="1.6"/><circle cx="9" cy="18" r="1.6"/><circle cx="15" cy="18" r="1.6"/>',
  iconPlay: '<path d="M7 4l13 8-13 8z"/>',
  iconStop: '<rect x="6" y="6" width="12" height="12" rx="2"/>',
};

function heading(level: number): [string, string] {
  return [
    `iconH${level}`,
    `<path d="M4 5v14M13 5v14M4 12h9"/><text x="15" y="19" font-size="10" stroke="none" fill="currentColor">${level}</text>`,
  ];
}

/** Puts the sprite at the start of the body; plugins add their own symbols after it. */
export function insertIcons(): void {
  const stroke = 'fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round"';
  const outlined = { ...lines, ...Object.fromEntries([1, 2, 3, 4, 5, 6].map(heading)), iconHeadings: heading(1)[1] };
  const symbols = [
    ...Object.entries(outlined).map(([id, body]) => `<symbol id="${id}" viewBox="0 0 24 24"><g ${stroke}>${body}</g></symbol>`),
    ...Object.entries(filled).map(([id, body]) => `<symbol id="${id}" viewBox="0 0 24 24"><g fill="currentColor">${body}</g></symbol>`),
  ];
  const hidden = 'position:absolute;width:0;height:0;overflow:hidden';
  document.body.insertAdjacentHTML(
    'afterbegin',
    `<svg style="${hidden}" xmlns="http://www.w3.org/2000/svg"><defs>${symbols.join('')}</defs></svg>`,
  );
}
