// UnitRender
