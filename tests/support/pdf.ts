/** A PDF of one page. `content`: its drawing operators, encoded as `filter` says. There is no table of objects: readers make one. */
export function pdfOf(content: string | Uint8Array, filter = ''): Buffer {
  const before = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>endobj
4 0 obj<</Length ${content.length}${filter}>>stream
`;
  const after = `
endstream endobj
5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj
6 0 obj<</Title(Tide tables)>>endobj
trailer<</Root 1 0 R/Info 6 0 R>>`;
  return Buffer.concat([Buffer.from(before), Buffer.from(content), Buffer.from(after)]);
}

export const pdfOfText = (text: string): Buffer => pdfOf(`BT /F1 12 Tf 20 100 Td (${text}) Tj ET`);

/** A page for each text, line by line; an empty text makes an empty page. */
export function pdfOfPages(texts: readonly string[]): Buffer {
  const pages = texts.map((_text, index) => `${4 + 2 * index} 0 R`);
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Kids[${pages.join(' ')}]/Count ${texts.length}>>`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    ...texts.flatMap((text, index) => {
      const content = text === '' ? '' : `BT /F1 1 Tf 20 190 Td (${text.replaceAll('\n', ') Tj 0 -1 Td (')}) Tj ET`;
      return [
        `<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Contents ${5 + 2 * index} 0 R/Resources<</Font<</F1 3 0 R>>>>>>`,
        `<</Length ${content.length}>>stream\n${content}\nendstream`,
      ];
    }),
  ];
  return Buffer.from(
    `%PDF-1.7\n${objects.map((object, index) => `${index + 1} 0 obj\n${object}\nendobj`).join('\n')}\ntrailer<</Root 1 0 R>>`,
  );
}
