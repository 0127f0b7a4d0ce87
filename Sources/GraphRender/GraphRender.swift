// GraphRender
